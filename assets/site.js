/* Built from assets/player/src by `npm run build`; do not edit. */
"use strict";(()=>{var Pt=new Set(["class","text","on","data","style"]);function o(i,t={},...e){let s=document.createElement(i);t.class&&(s.className=t.class),t.text!==void 0&&t.text!==
null&&(s.textContent=String(t.text));for(let[n,r]of Object.entries(t.on??{}))s.addEventListener(n,r);for(let[n,r]of Object.entries(t.data??{}))s.dataset[n]=String(
r);for(let[n,r]of Object.entries(t.style??{}))s.style.setProperty(n,r);for(let[n,r]of Object.entries(t))Pt.has(n)||r===void 0||r===null||r===!1||s.setAttribute(
n,r===!0?"":String(r));for(let n of e.flat())n!=null&&n!==!1&&s.append(n);return s}var _t="http://www.w3.org/2000/svg";function y(i,t={},...e){let s=document.createElementNS(
_t,i);for(let[n,r]of Object.entries(t))s.setAttribute(n,String(r));return s.append(...e),s}async function $(i){let t=Uint8Array.from(atob(i),s=>s.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(
e).json()}function m(){return new URLSearchParams(location.hash.replace(/^#\??/,""))}function g(i){let t=new URLSearchParams;for(let[e,s]of Object.entries(i))if(Array.isArray(
s))for(let n of s)t.append(e,n);else s!==void 0&&s!==""&&t.set(e,String(s));return`#${t}`}var X="";function ht(i){X=i.replace(/#.*$/,"")}function J(i){return(location.
protocol==="file:"&&X?X:location.href.replace(/#.*$/,""))+i}function N(i){location.hash!==i&&(location.hash=i)}function z(i){try{history.replaceState(null,"",i)}catch{}}function E(){return{search:"",choices:{},ranges:{},sort:null,descending:!1}}function It(i){let t=i.split(",").map(n=>n.trim()===""?Number.NaN:Number(n)),[e,s]=t;
return t.length===2&&Number.isFinite(e)&&Number.isFinite(s)&&e<=s?[e,s]:null}function P(i,t){let e=E();e.search=(i.get("q")??"").trim();for(let{name:r,filter:a}of t){
let l=i.get(r)??"";if(a==="range"){let h=It(l);h&&(e.ranges[r]=h)}else if(a){let h=l.split(",").filter(Boolean);h.length&&(e.choices[r]=h)}}let s=i.get("sort")??
"",n=t.find(({name:r})=>r===s.replace(/^-/,""));return n&&n.kind!=="tags"&&(e.sort=n.name,e.descending=s.startsWith("-")),e}function _(i){let t={};i.search&&(t.
q=i.search);for(let[e,s]of Object.entries(i.choices))s.length&&(t[e]=s.join(","));for(let[e,[s,n]]of Object.entries(i.ranges))t[e]=`${s},${n}`;return i.sort&&(t.
sort=(i.descending?"-":"")+i.sort),t}function I(i){let t=Object.values(i.choices).some(e=>e.length>0);return i.search!==""||t||Object.keys(i.ranges).length>0}function ct(i,t){
return i.sort===t.name?{...i,descending:!i.descending}:{...i,sort:t.name,descending:t.kind==="number"}}var Q=new Map,Y=new Map;globalThis.navviz_chunk=(i,t)=>{Q.set(i,t)};function S(i){let t=Y.get(i)??new Promise((e,s)=>{let n=document.createElement("script");n.src=
i,n.addEventListener("load",()=>e()),n.addEventListener("error",()=>{Y.delete(i),s(new Error(`${i} cannot be read: the site is not whole, or the connection is g\
one.`))}),document.head.append(n)});return Y.set(i,t),t}function O(i){if(document.querySelector(`link[href="${CSS.escape(i)}"]`))return;let t=document.createElement(
"link");t.rel="stylesheet",t.href=i,document.head.prepend(t)}async function tt(i){return Q.has(i)||await S(`data/${i}.js`),Q.get(i)??[]}async function T(i){let[
t]=await tt(i);return $(t)}function pt(i,t){if(i.frame!==t.frame||i.world!==t.world)return!1;let[e,s]=[i,t].map(({episode:n})=>n.dataset.toLowerCase());return e!==""&&e===s||dt(i,i.episode.
start)===dt(t,t.episode.start)}function ut(i,t,e){let s=new et(i.doc),n=t.map(({name:M,doc:k})=>({label:M,other:k,...s.take(k,M)})),[r,...a]=n;if(!r)return i.doc;
let{other:l}=r,{navigator:h,settings:c,eyes:d,run:p,model:f,created:u,source:w,forked_from:v,metrics:x}=l,A={navigator:h,settings:c,eyes:d,run:p,model:f,created:u,
source:w,forked_from:v,metrics:x,label:r.label,instruction:l.episode.instruction,sub_goals:[],steps:r.steps,end:r.end,first_difference:Ft(i.doc.steps,r.steps)},
j=a.map(({label:M,steps:k,end:G},Z)=>({label:M,steps:k,end:G,colour:e[Z]}));return{...s.document(),label:i.name,compare:A,further:j}}function Ft(i,t){for(let e=0;e<
Math.min(i.length,t.length);e+=1){let{node:s,path:n,decision:r}=i[e];if(JSON.stringify([s,r?.target,n])!==JSON.stringify([t[e].node,t[e].target,t[e].path]))return i[e].
index}return i.length===t.length?void 0:Math.min(i.length,t.length)+1}function dt(i,t){return typeof t=="number"?i.nodes.ids[t]:t}var et=class{constructor(t){this.
doc=t,this.size=t.frame==="geo"?2:3,this.nodes={...t.nodes,ids:[...t.nodes.ids],at:[...t.nodes.at]},this.links=[...t.links],this.streets=[...t.streets],this.bends=
[...t.bends??[]],this.floors=[...t.indoor?.floor_of??[]],this.index=new Map(t.nodes.ids.map((e,s)=>[e,s]))}document(){let{doc:t,nodes:e,links:s,streets:n,bends:r,
floors:a}=this,l=t.indoor&&{...t.indoor,floor_of:a};return{...t,nodes:e,links:s,streets:n,bends:r,...l?{indoor:l}:{}}}take(t,e){let s=new Map,n=c=>{if(typeof c!=
"number")return c;let d=s.get(c)??this.found(t,c)??this.add(t,c,e);return s.set(c,d),d},r=c=>c===void 0?void 0:n(c),a=t.steps.map(({node:c,path:d,heading_deg:p,
decision:f})=>({node:r(c),target:r(f?.target),path:d.map(n),heading_deg:p})),l=this.nodes.ids.length,h=r(t.end?.node);l>this.doc.nodes.ids.length&&this.streets.
push(...t.streets);for(let{ends:c,at:d}of t.bends??[]){let p=c.map(f=>s.get(f));p[0]!==void 0&&p[1]!==void 0&&this.bends.push({ends:[p[0],p[1]],at:d})}return{steps:a,
end:h}}found(t,e){let s=this.index.get(t.nodes.ids[e]);if(s===void 0)return;let[n,r]=[this.nodes.at,t.nodes.at].map((a,l)=>{let h=this.size*(l?e:s);return a.slice(
h,h+this.size)});return n.every((a,l)=>Math.abs(a-r[l])<=1e-5)?s:void 0}add(t,e,s){let n=t.nodes.ids[e],r=this.index.has(n),a=this.nodes.ids.length;return this.
nodes.ids.push(r?`${s}: ${n}`:n),this.nodes.at.push(...t.nodes.at.slice(this.size*e,this.size*(e+1))),this.doc.indoor&&this.floors.push(t.indoor?.floor_of[e]??0),
r||this.index.set(n,a),a}};var ft=250,st=7,Dt=2,F=class{constructor(t,e,s){this.root=t,this.data=e,this.others=s,this.bare=m().has("embed"),this.state=P(m(),e.run.columns),this.over=m().getAll(
"with").slice(0,st),this.elsewhere=new Map,this.order=[],this.row=0,this.step=0,this.written=0,this.bar=o("nav",{class:"ns-episode",hidden:this.bare,"aria-label":"\
Episode"}),this.box=o("div",{class:"ns-player"}),t.replaceChildren(this.bar,this.box)}async open(t){O("assets/leaflet.css"),O("assets/player.css");let e=S("asse\
ts/leaflet.js").then(()=>S("assets/player.js")),[s,n]=await Promise.all([this.data.rows(),this.data.row(t),e]);if(n===void 0){this.box.replaceChildren(o("p",{text:`${this.
data.run.name} has no episode ${t}.`}));return}this.row=n,this.rows=s,this.order=s.apply(this.state);let r=await this.data.document(n),a=await this.laid(r,t),l=a.
length?ut({name:this.data.run.name,doc:r},a,Ht()):r;if(!this.box.isConnected)return;await this.tell(t);let h=Number(m().get("step")??""),c=o("div",{});this.box.
replaceChildren(c);let d=globalThis.NavVizPlayer;this.player=await d.mount(c,l,{deepLink:!1,height:"fill",episodes:!this.bare,start:"cause",...h?{step:h}:{},onStep:p=>this.
remember(p),onAction:(p,f,u)=>this.act(p,u),runIndex:this.bare?void 0:()=>this.index(),loadPlotly:()=>S("assets/plotly.js")}),this.step=this.player.step,this.point(
t)}async laid(t,e){let s=[];for(let n of this.others){let r=this.over.includes(n.run.name)?await n.row(e):void 0;if(r===void 0)continue;let a=await n.document(r);
pt(t,a)&&s.push({name:n.run.name,doc:a})}return s}async index(){let t=await this.data.rows();return t.column("episode").map((e,s)=>[String(e),String(t.cell("ins\
truction",s)??"")])}act(t,e){t==="open"&&e&&N(this.link({episode:e}));let s=this.neighbour(t==="next"?1:-1);(t==="next"||t==="previous")&&s!==void 0&&N(this.link(
{episode:s}))}neighbour(t){let e=this.order.indexOf(this.row),s=this.order[e<0?0:e+t];return s===void 0?void 0:String(this.rows?.cell("episode",s))}link(t){let e=this.
bare?"1":void 0,s=m().get("as")??void 0;return g({run:this.data.run.name,as:s,with:this.over,..._(this.state),embed:e,...t})}stepLink(){let t=String(this.rows?.
cell("episode",this.row));return g({run:this.data.run.name,episode:t,with:this.over,step:this.step||void 0})}stepIn(t,e){let s=this.over.map(n=>n===t?this.data.
run.name:n);return g({run:t,episode:e,with:s,step:this.step||void 0})}point(t){for(let[e,s]of this.elsewhere)s.href=this.stepIn(e,t)}remember(t){this.step=t,clearTimeout(
this.waiting);let e=String(this.rows?.cell("episode",this.row));this.point(e);let s=()=>{this.written=performance.now(),this.box.isConnected&&z(this.link({episode:e,
step:t}))};performance.now()-this.written>ft?s():this.waiting=setTimeout(s,ft)}async tell(t){let e=this.order.indexOf(this.row),s=e<0?"":`${e+1} of ${this.order.
length}`,n=[];this.elsewhere.clear();for(let r of this.others)await r.row(t)!==void 0&&n.push(this.other(r.run.name,t));this.bar.replaceChildren(o("a",{href:this.
link({}),text:"← List"}),this.arrow("‹","Previous episode (p)",-1),o("b",{text:t,title:s}),o("span",{class:"ns-quiet",text:s}),this.arrow("›","Next episod\
e (n)",1),...n.length>Dt?[this.folded(n)]:n,o("span",{class:"ns-space"}),this.copier("Copy link","Address of this step",()=>J(this.stepLink())),this.copier("Emb\
ed","Snippet of HTML for your own page",()=>this.snippet()))}other(t,e){let s=o("a",{href:this.stepIn(t,e),text:`in ${t}`,title:"The same step in this run"});this.
elsewhere.set(t,s);let n=this.over.includes(t),r={click:()=>this.lay(t,e)},a=n?`Take the walk of ${t} off the map`:`Lay the walk of ${t} over this one`,l={type:"\
button",text:"over it",title:a,"aria-label":a,"aria-pressed":String(n)},h=!n&&this.over.length>=st;return o("span",{class:"ns-other"},s,o("button",{...l,disabled:h,
on:r}))}folded(t){let e=this.over.length,s=e?`${e} of ${t.length} other runs over it`:`${t.length} other runs`;return o("details",{class:"ns-others"},o("summary",
{text:s}),...t)}lay(t,e){let s=this.over.includes(t)?this.over.filter(n=>n!==t):[...this.over,t];N(this.link({episode:e,with:s,step:this.step||void 0}))}arrow(t,e,s){
let n=this.neighbour(s),r=this.order.indexOf(this.row);return n===void 0||r+s<0?o("span",{class:"ns-arrow","aria-hidden":"true",text:t}):o("a",{class:"ns-arrow",
href:this.link({episode:n}),title:e,"aria-label":e,text:t})}copier(t,e,s){return o("button",{type:"button",text:t,title:e,on:{click:()=>this.copy(s())}})}snippet(){
let t=J(`${this.stepLink()}&embed=1`),e=o("iframe",{src:t,title:`NavViz: ${this.data.run.name}`,width:"100%",height:640});return e.setAttribute("style","border:\
0"),e.setAttribute("loading","lazy"),e.outerHTML}async copy(t){let e=o("textarea",{readonly:!0,rows:3,"aria-label":"To copy"});e.value=t;let s=o("span",{class:"\
ns-quiet",text:""}),n=o("button",{type:"button",text:"Close",on:{click:()=>r.remove()}}),r=o("div",{class:"ns-copy"},e,s,n);this.root.querySelector(".ns-copy")?.
remove(),this.bar.after(r),e.select();try{await navigator.clipboard.writeText(t),s.textContent="Copied."}catch{s.textContent="Press Ctrl+C to copy."}}destroy(){
clearTimeout(this.waiting),this.player?.destroy()}};function Ht(){let i=getComputedStyle(document.documentElement);return Array.from({length:st-1},(t,e)=>i.getPropertyValue(
`--nv-further-${e+1}`).trim())}var qt=200;async function mt(i,t,e){let{compare:s}=t;if(!s){let d=t.compare_fault||"There is only one run on this site.";i.replaceChildren(o("p",{text:d}));return}
let n=[...new Set(s.figures.map(({metric:d})=>d))],r=[...new Set(s.figures.map(({run:d})=>d))],a=o("tr",{},o("th",{text:"run"}),...n.map(d=>o("th",{text:d}))),l=r.
map(d=>{let p=n.map(u=>{let w=s.figures.find(lt=>lt.run===d&&lt.metric===u);if(!w)return o("td",{text:"–"});let{text:v,span:x,n:A,difference:j,pairs:M,p:k,test:G}=w,
Z=`${j}; p ${k.startsWith("<")?k:`= ${k}`} · n = ${M}`,Nt=j&&o("small",{title:G,text:Z});return o("td",{},o("b",{text:v}),o("small",{text:`${x} · n = ${A}`}),
Nt)}),f=d===s.baseline?" (baseline)":"";return o("tr",{},o("th",{text:d+f,scope:"row"}),...p)}),h=o("div",{class:"ns-wide"},o("table",{class:"ns-table"},o("thea\
d",{},a),o("tbody",{},...l))),c=o("div",{});i.replaceChildren(h,o("p",{class:"ns-quiet",text:s.note}),c),c.replaceChildren(...await Bt(e))}async function Bt(i){
let[t,...e]=i,n=(await t.rows()).column("episode").map(String),r=new Map,a=await Promise.all(i.map(Vt));for(let d of n){let p=a.map(u=>u.get(d));if(p.some(u=>u===
void 0||u==="unknown"))continue;let f=p.map(u=>u==="success"?"✓":"✗").join(" ");r.set(f,[...r.get(f)??[],d])}if(!e.length||!r.size)return[];let h=[...r].sort(
(d,p)=>p[1].length-d[1].length).map(([d,p])=>{let f=e.map(({run:x})=>x.name),u=p.slice(0,qt).map(x=>o("a",{href:g({run:t.run.name,episode:x,with:f}),text:x})),w=i.
map(({run:x},A)=>`${d.split(" ")[A]} ${x.name}`).join(" · "),v=o("summary",{},o("b",{text:p.length}),` ${w}`);return o("details",{class:"ns-pattern"},v,o("p",{},
...u))});return[o("h2",{text:"Who succeeds where"}),o("p",{class:"ns-quiet",text:"A link opens all walks of an episode on one map."}),...h]}async function Vt(i){
let t=await i.rows();return new Map(t.column("episode").map((e,s)=>[String(e),String(t.cell("outcome",s))]))}function gt(i,t,e){let s=[["Run",e.name],["Episodes",
`${e.episodes} (${e.summary})`],...e.about];t.source&&s.unshift(["Source",t.source]),t.authors&&s.unshift(["Authors",t.authors]);let n=t.without.length?`${t.without.
join(", ")} were left out of this site`:"";t.without.includes("thoughts")&&(n+="; a text that repeats a thought in other words, or in part, keeps it"),n&&s.push(
["Left out",n]);let r=s.map(([c,d])=>o("tr",{},o("th",{scope:"row",text:c}),o("td",{text:d}))),a=e.files.map(({role:c,name:d,sha256:p})=>o("tr",{},o("th",{scope:"\
row",text:c}),o("td",{},d,o("code",{text:p??"not hashed"})))),l=[...new Set(e.maps.map(({attribution:c})=>c).filter(Boolean))],h=t.licence||"No licence was stat\
ed: ask the authors before you use the runs elsewhere.";i.replaceChildren(o("h2",{text:"Where the figures come from"}),o("table",{class:"ns-facts"},o("tbody",{},
...r)),...e.notes.map(c=>o("p",{class:"ns-quiet",text:c})),o("h2",{text:"Files, with their SHA-256"}),o("table",{class:"ns-facts"},o("tbody",{},...a)),o("h2",{text:"\
Licence"}),o("p",{text:h}),...l.map(c=>o("p",{text:`Maps: ${c}`})),o("h2",{text:"Cite"}),o("pre",{text:t.bibtex}),o("p",{class:"ns-quiet",text:`Scores and cause\
s were computed anew by ${t.made_with} from the files above.`}))}function Wt(i){return i.toLowerCase().replace(/\p{Nd}+/gu,t=>t.padStart(20,"0"))}var D=class{constructor(t){this.columns=t,this.count=Object.values(t)[0]?.length??
0,this.texts=void 0,this.sortKeys=new Map}column(t){return Object.hasOwn(this.columns,t)?this.columns[t]:[]}cell(t,e){return this.column(t)[e]??null}haystacks(){
if(!this.texts){let[t,e]=[this.column("episode"),this.column("instruction")];this.texts=t.map((s,n)=>`${e[n]??""} ${s}`.toLowerCase())}return this.texts}apply(t){
let e=Array.from({length:this.count},(n,r)=>r),s=t.search.toLowerCase().split(/\s+/).filter(Boolean);if(s.length){let n=this.haystacks();e=e.filter(r=>s.every(a=>n[r].
includes(a)))}for(let[n,r]of Object.entries(t.choices))r.length&&(e=this.chosen(e,n,new Set(r)));for(let[n,[r,a]]of Object.entries(t.ranges)){let l=this.column(
n);e=e.filter(h=>Ut(l[h],r,a))}return t.sort?this.sorted(e,t.sort,t.descending):e}chosen(t,e,s){let n=this.column(e);return t.filter(r=>{let a=n[r];return Array.
isArray(a)?[...s].every(l=>a.includes(l)):a!=null&&s.has(String(a))})}sorted(t,e,s){let n=this.keys(e),r=t.filter(h=>(n[h]??null)!==null),a=t.filter(h=>(n[h]??null)===
null),l=s?-1:1;return r.sort((h,c)=>l*Kt(n[h],n[c])||h-c),[...r,...a]}keys(t){let e=this.sortKeys.get(t)??this.column(t).map(s=>typeof s=="string"?Wt(s):s);return this.
sortKeys.set(t,e),e}counts(t){let e=new Map;for(let s of this.column(t))for(let n of Array.isArray(s)?s:[s])n!=null&&e.set(String(n),(e.get(String(n))??0)+1);return e}span(t){
let[e,s]=[Number.POSITIVE_INFINITY,Number.NEGATIVE_INFINITY];for(let n of this.column(t))typeof n=="number"&&(e=Math.min(e,n),s=Math.max(s,n));return e<=s?{low:e,
high:s}:null}};function Ut(i,t,e){return typeof i=="number"&&i>=t&&i<=e}function Kt(i,t){if(typeof i=="number"&&typeof t=="number")return i-t;let[e,s]=[String(i),
String(t)];return e===s?0:e<s?-1:1}var H=class{constructor(t,e){this.run=t,this.number=e,this.loading=void 0,this.thumbs=new Map,this.rowOf=void 0}rows(){return this.loading??=T(`list-${this.number}`).
then(t=>new D(t)),this.loading}async row(t){let e=await this.rows();return this.rowOf??=new Map(e.column("episode").map((s,n)=>[String(s),n])),this.rowOf.get(t)}async thumb(t){
let e=Math.floor(t/this.run.thumbs),s=this.thumbs.get(e)??T(`thumbs-${this.number}-${e}`);return this.thumbs.set(e,s),(await s)[t%this.run.thumbs]}async document(t){
let{chunk_of:e}=this.run,s=e[t],n=await tt(`episodes-${this.number}-${s}`);return $(n[t-e.indexOf(s)])}};function b(i,t=0){return i==null?"–":i.toLocaleString("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})}var xt=(i,t,e)=>`${b(i)} ${i===1?t:e}`,wt=i=>i.charAt(0).toUpperCase()+i.slice(1);var Gt=/^'*[=+\-@\t\r\n]/,Zt=/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i,Xt=/[",\r\n]/;function bt(i){if(i==null)return"";if(typeof i=="number")return String(i);let t=Array.
isArray(i)?i.join("; "):i,e=Gt.test(t)&&!Zt.test(t)?`'${t}`:t;return Xt.test(e)?`"${e.replaceAll('"','""')}"`:e}function vt(i,t,e){let s=[t.map(({name:n})=>bt(n)).
join(",")];for(let n of e)s.push(t.map(({name:r})=>bt(i.cell(r,n))).join(","));return`${s.join(`
`)}
`}function yt(i){return`${i.replace(/[^\p{L}\p{N}._-]+/gu,"-").replace(/^[-.]+|(?<![-.])[-.]+$/g,"")||"episodes"}.csv`}function kt(i,t){let e=URL.createObjectURL(
new Blob([t],{type:"text/csv;charset=utf-8"})),s=document.createElement("a");s.href=e,s.download=i,s.click(),setTimeout(()=>URL.revokeObjectURL(e),6e4)}var St=12,C=class{constructor(t,e,s){this.box=t,this.height=e,this.draw=s,this.lines=0,this.first=-1,this.last=-1,this.sheet=o("div",{class:"nl-sheet"}),t.append(
this.sheet),t.addEventListener("scroll",()=>this.fill()),this.sizes=new ResizeObserver(()=>this.fill()),this.sizes.observe(t)}show(t){this.lines=t,this.sheet.style.
height=`${t*this.height}px`,this.first=this.last=-1,this.fill()}redraw(){this.first=-1,this.fill()}fill(){let t=Math.max(0,this.box.scrollTop-this.sheet.offsetTop),
e=Math.max(0,Math.floor(t/this.height)-St),s=Math.min(this.lines,Math.ceil((t+this.box.clientHeight)/this.height)+St);if(e===this.first&&s===this.last)return;[this.
first,this.last]=[e,s];let n=[];for(let r=e;r<s;r+=1){let a=this.draw(r);a.style.top=`${r*this.height}px`,n.push(a)}this.sheet.replaceChildren(...n)}reveal(t){let e=t*
this.height,{scrollTop:s,clientHeight:n}=this.box,r=n-this.sheet.offsetTop;e<s?this.box.scrollTop=e:e+this.height>s+r&&(this.box.scrollTop=e+this.height-r)}destroy(){
this.sizes.disconnect(),this.sheet.remove()}};var Mt=32,$t={episode:96,outcome:96,instruction:380,cause:220,number:98,text:138,tags:180},Ot=34,Jt="–";function R(i,{labels:t}){return t&&Object.hasOwn(t,i)?
t[i]:i}function Yt(i,t){return i==null||Array.isArray(i)&&!i.length?Jt:Array.isArray(i)?i.map(e=>R(e,t)).join(", "):typeof i=="string"?R(i,t):typeof i=="number"&&
t.digits!==void 0?i.toFixed(t.digits):String(Math.round(i*1e4)/1e4)}var nt=i=>i.ctrlKey||i.metaKey||i.altKey,q=class{constructor(t,e,s,n){this.box=t,this.rows=e,
this.columns=s,this.on=n,this.shown=[],this.at=0;let r=s.map(({name:d,kind:p})=>$t[d]??$t[p]),a=s.map(({name:d},p)=>d==="instruction"?`minmax(${r[p]}px, 1fr)`:`${r[p]}\
px`);n.alike&&a.unshift(`${Ot}px`);let l=r.reduce((d,p)=>d+p,n.alike?Ot:0),h={"--nl-columns":a.join(" "),"--nl-width":`${l}px`};this.head=o("div",{class:"nl-hea\
ds",role:"row"});let c=o("div",{class:"nl-rows",role:"table",tabindex:0,style:h},this.head);t.replaceChildren(c),this.window=new C(c,Mt,d=>this.line(d)),c.addEventListener(
"keydown",d=>this.onKey(d)),this.inner=c}show(t,e){this.shown=t,this.at=0;let s=this.columns.map(n=>this.headOf(n,e));this.on.alike&&s.unshift(o("span",{class:"\
nl-tool",role:"columnheader","aria-label":"Alike"})),this.head.replaceChildren(...s),this.rove(this.buttons[0]),this.inner.setAttribute("aria-rowcount",String(t.
length+1)),this.inner.scrollTop=0,this.window.show(t.length)}get buttons(){return[...this.head.querySelectorAll("button")]}rove(t){for(let e of this.buttons)e.tabIndex=
e===t?0:-1}headOf(t,e){let s=e.sort===t.name,n=e.descending?"descending":"ascending",r=e.descending?" ↓":" ↑",a={class:`nl-cell nl-${t.kind}`,role:"columnhe\
ader","aria-sort":s?n:"none"};if(t.kind==="tags")return o("span",{...a,title:t.help,text:t.label});let l={click:()=>this.on.sort(t)},h=o("button",{type:"button",
title:t.help,on:l},t.label+(s?r:""));return o("span",a,h)}line(t){let e=this.shown[t],s=this.columns.map(a=>{let l=Yt(this.rows.cell(a.name,e),a),h={class:`nl-c\
ell nl-${a.kind}`,role:"cell",title:l};return a.name!=="outcome"?o("span",{...h,dir:"auto",text:l}):o("span",h,o("span",{class:`nl-chip nl-${l}`,text:l}))});this.
on.alike&&s.unshift(this.tool(e));let r={class:`nl-row${t===this.at?" nl-here":""}`,role:"row",href:this.on.href(e),tabindex:-1,data:{row:e}};return o("a",{...r,
"aria-rowindex":t+2},...s)}isFailure(t){return t<this.shown.length&&this.rows.cell("outcome",this.shown[t])==="failure"}tool(t){let e=o("span",{class:"nl-tool",
role:"cell"});if(this.rows.cell("outcome",t)!=="failure")return e;let s=`Failures like ${this.rows.cell("episode",t)}`,n={class:"nl-alike",role:"button",title:`${s}\
 (a)`,"aria-label":s,data:{alike:t}};return e.append(o("span",{...n,text:"≈"})),e}destroy(){this.window.destroy()}onKey(t){let{buttons:e}=this,s=e.indexOf(t.target);
if(s>=0){let a={ArrowRight:1,ArrowLeft:-1}[t.key];if(!a||nt(t))return;t.preventDefault();let l=e[(s+a+e.length)%e.length];this.rove(l),l.focus();return}let n=Math.
max(1,Math.floor(this.inner.clientHeight/Mt)-2),r={ArrowDown:1,ArrowUp:-1,PageDown:n,PageUp:-n,Home:-this.shown.length,End:this.shown.length};t.key==="Enter"&&t.
target===this.inner&&this.shown.length?this.on.open(this.shown[this.at]):t.key==="a"&&this.on.alike&&this.isFailure(this.at)&&!nt(t)?this.on.alike(this.shown[this.
at]):t.key in r&&!nt(t)&&(t.preventDefault(),this.at=Math.max(0,Math.min(this.shown.length-1,this.at+r[t.key])),this.window.reveal(this.at),this.window.redraw())}};var Qt=60,B=class{constructor(t,e,s,n){this.rows=e,this.onChange=n,this.state=E(),this.all=s,this.columns=s.filter(p=>this.divides(p)),this.sorts=s.filter(({kind:p})=>p!==
"tags");let r={input:()=>this.set({search:this.search.value.trim()})},a={type:"search",placeholder:"Search instructions and ids","aria-label":"Search"};this.search=
o("input",{...a,on:r}),this.body=o("div",{class:"nl-filter-list"}),this.mark=o("span",{class:"nl-filter-mark"});let l=o("summary",{},"Filters",this.mark);this.fold=
o("details",{class:"nl-filters"},l,this.body),this.clear=o("button",{type:"button",class:"nl-clear",text:"Clear filters",on:{click:()=>this.reset()}}),this.chips=
o("span",{class:"nl-chips"});let h={change:()=>this.set({sort:this.by.value||null,descending:this.falls(this.by.value)})};this.by=o("select",{"aria-label":"Sort\
 by",on:h},o("option",{value:"",text:"File order"}));for(let{name:p,label:f}of this.sorts)this.by.append(o("option",{value:p,text:f}));let c={click:()=>this.set(
{descending:!this.state.descending})};this.direction=o("button",{type:"button",class:"nl-direction",on:c});let d=o("span",{class:"nl-order"},this.by,this.direction);
t.replaceChildren(this.search,this.fold,d,this.chips,this.clear),this.onPress=p=>this.closeFrom(p.target),document.addEventListener("pointerdown",this.onPress),
this.fold.addEventListener("keydown",p=>this.closeByKey(p))}destroy(){document.removeEventListener("pointerdown",this.onPress)}closeByKey(t){t.key!=="Escape"||!this.
fold.open||(t.stopPropagation(),this.fold.open=!1,this.fold.querySelector("summary")?.focus())}falls(t){return this.sorts.some(e=>e.name===t&&e.kind==="number")}closeFrom(t){
this.fold.open&&t instanceof Node&&!this.fold.contains(t)&&(this.fold.open=!1)}divides({name:t,filter:e}){if(e==="range"){let s=this.rows.span(t);return s!==null&&
s.low<s.high}return e!==void 0&&this.rows.counts(t).size>1}show(t){this.state=t,this.search.value.trim()!==t.search&&(this.search.value=t.search);let s=Object.values(
t.choices).filter(n=>n.length).length+Object.keys(t.ranges).length;this.mark.textContent=s?String(s):"",this.clear.hidden=!I(t),this.chips.replaceChildren(...this.
chipsOf(t)),this.by.value=t.sort??"",this.direction.textContent=t.descending?"↓":"↑",this.direction.title=t.descending?"Falling; press for rising":"Rising; \
press for falling",this.direction.setAttribute("aria-label",this.direction.title),this.direction.disabled=!t.sort,this.body.contains(document.activeElement)||this.
body.replaceChildren(...this.columns.map(n=>this.part(n)))}chipsOf(t){let e=[];for(let s of this.all){let{name:n,label:r}=s;for(let a of t.choices[n]??[]){let l=t.
choices[n].filter(c=>c!==a),h={...t.choices,[n]:l};e.push(this.chip(`${r}: ${R(a,s)}`,{choices:h}))}if(Object.hasOwn(t.ranges,n)){let{[n]:a,...l}=t.ranges;e.push(
this.chip(`${r}: ${a[0]} to ${a[1]}`,{ranges:l}))}}return e}chip(t,e){let s={click:()=>this.set(e)},n={type:"button",class:"nl-off",title:`Take this filter away\
: ${t}`};return o("button",{...n,on:s},o("span",{text:t})," ✕")}set(t){this.onChange({...this.state,...t})}reset(){this.search.value="",this.set({search:"",choices:{},
ranges:{}})}part(t){let e=t.filter==="range"?this.range(t):this.choice(t);return o("fieldset",{title:t.help},o("legend",{text:t.label}),...e)}choice(t){let{name:e}=t,
s=new Set(this.state.choices[e]??[]);return[...this.rows.counts(e)].sort((r,a)=>a[1]-r[1]).slice(0,Qt).map(([r,a])=>{let l=c=>{c.target.checked?s.add(r):s.delete(
r),this.set({choices:{...this.state.choices,[e]:[...s]}})},h=o("input",{type:"checkbox",checked:s.has(r),on:{change:l}});return o("label",{},h,o("span",{text:R(
r,t)}),o("small",{text:a}))})}range({name:t}){let e=this.rows.span(t)??{low:0,high:0},[s,n]=this.state.ranges[t]??[e.low,e.high],r=[Math.floor(e.low),Math.ceil(
e.high)],a=[s,n].map((h,c)=>o("input",{type:"number",step:"any",value:c?Math.ceil(h):Math.floor(h),"aria-label":c?"at most":"at least",on:{change:()=>l()}})),l=()=>{
let h=a.map((d,p)=>d.value===""?r[p]:Number(d.value)),c={...this.state.ranges};h[0]<=r[0]&&h[1]>=r[1]?delete c[t]:c[t]=[Math.min(...h),Math.max(...h)],this.set(
{ranges:c})};return[o("div",{class:"nl-limits"},a[0],o("span",{text:"to"}),a[1])]}};var it=148;function Ct(i){let t=[];for(let e=0;e<i.length;e+=2)t.push(`${i[e]},${i[e+1]}`);return t.join(" ")}function te(i,t,e){let{r:s,a:n,l:r,g:a}=i,l=[];a&&
l.push(y("image",{class:"ground",href:a,width:96,height:96})),s.length&&(l.push(y("polyline",{class:"ref",points:Ct(s)})),l.push(y("circle",{class:"goal",cx:s[s.
length-2],cy:s[s.length-1],r:4.5})));for(let[c,d]of r??[[null,n]]){let p=y("polyline",{class:"agent",points:Ct(d)});typeof c=="string"&&(p.style.stroke=c),l.push(
p)}if(n.length){let[c,d]=n.slice(-2);l.push(y("circle",{class:"start",cx:n[0],cy:n[1],r:3})),t==="failure"?l.push(y("path",{class:"cross",d:`M${c-3},${d-3}l6,6m\
0,-6l-6,6`})):l.push(y("circle",{class:"stop",cx:c,cy:d,r:2.6}))}let h=y("svg",{class:"nl-thumb",viewBox:"0 0 96 96",role:"img","aria-label":e},...l);return h.dataset.
outcome=t,h}var V=class{constructor(t,e,s){this.thumbOf=e,this.cardOf=s,this.shown=[],this.across=1,this.inner=o("div",{class:"nl-gallery",tabindex:0,role:"list"}),
t.replaceChildren(this.inner),this.window=new C(this.inner,it,n=>this.line(n)),this.sizes=new ResizeObserver(()=>this.fit()),this.sizes.observe(this.inner)}show(t){
this.shown=t,this.inner.scrollTop=0,this.across=Math.max(1,Math.floor(this.inner.clientWidth/it)),this.window.show(Math.ceil(t.length/this.across))}fit(){let t=Math.
max(1,Math.floor(this.inner.clientWidth/it));t!==this.across&&(this.across=t,this.window.show(Math.ceil(this.shown.length/t)))}destroy(){this.sizes.disconnect(),
this.window.destroy()}line(t){let e=this.shown.slice(t*this.across,(t+1)*this.across);return o("div",{class:"nl-cards"},...e.map(s=>this.card(s)))}card(t){let{title:e,
caption:s,outcome:n,href:r}=this.cardOf(t),a=o("span",{class:"nl-picture"});return this.thumbOf(t).then(l=>a.replaceChildren(te(l,n,e))),o("a",{class:"nl-card",
role:"listitem",href:r,title:e,data:{row:t}},a,o("span",{text:s}))}};var W=class{constructor(t,e,s,n){this.rows=e,this.columns=s,this.host=n,this.state=E(),this.shown=[],this.only=null,this.view="",this.before=o("div",{class:"nl-\
before"}),this.after=o("div",{class:"nl-after"});let r=o("div",{class:"nl-filter-bar"});this.count=o("span",{class:"nl-count","aria-live":"polite"});let a={click:()=>kt(
yt(n.run()),vt(e,s,this.shown))},l="Download these episodes as CSV, in this order";this.csv=o("button",{type:"button",class:"nl-csv",title:l,text:"CSV",on:a}),this.
none=o("p",{class:"nl-none",text:"No episode passes these filters; clear one of them."}),this.box=o("div",{class:"nl-box"}),this.filters=new B(r,e,s,h=>n.change(
h)),t.replaceChildren(o("div",{class:"nl-bar"},this.before,r,this.count,this.csv,this.after),this.none,this.box)}turn(t){this.view=t,this.table?.destroy(),this.
gallery?.destroy(),this.table=this.gallery=void 0,this.box.replaceChildren(),t==="table"?this.table=new q(this.box,this.rows,this.columns,{open:e=>this.host.open(
e),sort:e=>this.host.change(ct(this.state,e)),href:e=>this.host.href(e),alike:this.host.alike}):t==="gallery"&&(this.gallery=new V(this.box,this.host.thumbOf,e=>this.
card(e)))}show(t){this.state=t;let{rows:e,only:s}=this;this.shown=e.apply(t),s&&(this.shown=this.shown.filter(c=>s.has(c)));let{shown:n}=this,r=e.column("outcom\
e"),a=n.filter(c=>r[c]==="success").length,h=n.some(c=>!["unknown","unfinished"].includes(String(r[c])))?` · ${b(a)} succeeded`:"";this.count.textContent=`${b(
n.length)} of ${b(e.count)} episodes${h}`,this.csv.disabled=n.length===0,this.none.hidden=n.length>0,this.filters.show(t),this.table?.show(n,t),this.gallery?.show(
n)}get scroller(){return this.table?.inner??this.gallery?.inner}spot(){let{scrollTop:t=0,scrollLeft:e=0}=this.scroller??{},s=this.scroller?.contains(document.activeElement)??
!1;return{top:t,left:e,at:this.table?.at??0,isOpen:this.filters.fold.open,hasFocus:s}}resume({top:t,left:e,at:s,isOpen:n,hasFocus:r}){let{scroller:a,table:l,shown:h}=this;
this.filters.fold.open=n,l&&(l.at=Math.max(0,Math.min(s,h.length-1))),a&&(r&&a.focus({preventScroll:!0}),a.scrollTop=t,a.scrollLeft=e,l?.window.redraw())}card(t){
let e=String(this.rows.cell("episode",t)),s=String(this.rows.cell("outcome",t)),n=this.rows.cell("NE",t),r=this.columns.find(({name:h})=>h==="NE")?.digits??0,a=typeof n==
"number"?`${e} · ${n.toFixed(r)} m`:e;return{title:`${e}: ${s}. ${this.rows.cell("instruction",t)??""}`,caption:a,outcome:s,href:this.host.href(t)}}destroy(){this.
table?.destroy(),this.gallery?.destroy(),this.filters.destroy()}};var At=["SR","OSR","SPL","NE","nDTW","SDTW","SR_rec","SPL_rec","NE_rec","ISR","CSR","RGS"],ee="none-found",se=["SR","SR_rec","ISR"];function zt(i){let t=i.figures.
filter(({metric:a})=>At.includes(a)),e=i.figures.filter(({metric:a})=>!At.includes(a)),s=o("dl",{class:"ns-figures"},...t.map(ot)),n=i.marks.map(a=>o("p",{class:"\
ns-mark",text:a}));if(!e.length)return[...n,s];if(!t.length)return[...n,o("dl",{class:"ns-figures"},...e.map(ot))];let r=o("details",{class:"ns-more"},o("summar\
y",{text:`${e.length} more figures`}));return r.append(o("dl",{class:"ns-figures"},...e.map(ot))),[...n,s,r]}function ot({metric:i,title:t,text:e,span:s,n}){let r=`${t}\
; 95 % interval ${s||"unknown"}, over ${b(n)} episodes`,a=[s,`n = ${b(n)}`].filter(Boolean).join(" · ");return o("div",{title:r},o("dt",{text:i}),o("dd",{text:e}),
o("small",{text:a}))}function Et(i){if(!i)return"";let t=s=>Math.round(100*s),e=i.low===void 0?"":` (${t(i.low)} to ${t(i.high??0)})`;return`${t(i.value)} %${e}`}
function rt(i,t,e,s){let n=i[t];if(!i.failures||!n.length){if(t==="causes")return o("p",{hidden:!0});let d=i.figures.some(({metric:p})=>se.includes(p))?"No fail\
ure to explain.":"No outcome is known, so no failure is.";return o("p",{class:"ns-quiet",text:d})}let r=Math.max(1,...n.map(({likely:c})=>c)),l=o("div",{class:"\
ns-cause ns-heads"},o("span",{text:`${t==="acts"?"How the decisive act was missed":"What explains it"}, of ${xt(i.failures,"failure","failures")}`}),o("span",{}),
o("span",{}),o("span",{text:"has it, of failures"})),h=n.map(({id:c,name:d,hint:p,likely:f,failed:u})=>{let w=o("i",{style:{width:`${100*f/r}%`}}),v={click:()=>s(
c)},x=String(e.includes(c));return o("button",{type:"button",class:`ns-cause${c===ee?" ns-none":""}`,disabled:!f,"aria-pressed":x,on:v},o("span",{class:"ns-name",
title:d},d,p&&o("small",{text:"hint"})),o("span",{class:"ns-track"},w),o("b",{text:b(f)}),o("span",{text:Et(u)}))});return o("div",{class:"ns-causes"},l,...h)}function Tt(i,t,e){
let s=Math.max(1,...i.groups.map(({failures:c})=>c)),r=o("div",{class:"ns-cause ns-heads"},...["Words they share","","n","Share of these failures","A typical on\
e"].map(c=>o("span",{text:c}))),a=i.groups.map(({id:c,words:d,failures:p,share:f,example:u})=>o("button",{type:"button",class:"ns-cause","aria-pressed":String(t.
includes(c)),on:{click:()=>e(c)}},o("span",{class:"ns-name",title:d,text:d,dir:"auto"}),o("span",{class:"ns-track"},o("i",{style:{width:`${100*p/s}%`}})),o("b",
{text:b(p)}),o("span",{text:Et(f)}),o("span",{class:"ns-name",title:u,text:u,dir:"auto"}))),l=t.length>0,h=o("details",{class:"ns-more ns-alike",open:l},o("summ\
ary",{text:"Alike by words"}));return h.append(o("p",{class:"ns-quiet",text:i.groups_note}),o("div",{class:"ns-causes"},r,...a)),h}function Lt(i){i.eachLayer(e=>{let s=e;s._redrawRequest&&(L.Util.cancelAnimFrame(s._redrawRequest),s._redrawRequest=null)});let t=i;clearTimeout(t.scrollWheelZoom?.
_timer),t._animatingZoom=!1,t.panBy=()=>i,i.remove()}var Rt="episode: ",U=class{constructor(t,e,s,n){this.data=e,this.href=s,this.onChoose=n,this.passing=null,this.turn=0;let{maps:r}=e.run,a=r.map(({name:h,walks:c},d)=>o(
"option",{value:d,text:`${h} (${c})`})),l={change:()=>this.draw(Number(this.picker.value))};this.picker=o("select",{"aria-label":"Map",hidden:r.length<2,on:l},...a),
this.note=o("span",{class:"ns-quiet",text:"Click a path, a disc or a junction."}),this.ground=o("div",{class:"ns-map"}),t.replaceChildren(o("div",{class:"ns-map\
-bar"},this.picker,this.note),this.ground),r.length?this.draw(0):this.note.textContent="This run has no walk on a map."}async draw(t){let e=++this.turn;O("asset\
s/leaflet.css"),O("assets/atlas.css"),await S("assets/leaflet.js"),await S("assets/atlas.js");let s=await T(`map-${this.data.number}-${t}`),n=await Promise.all(
s.walks.map(({id:a})=>this.data.row(a)));if(e!==this.turn||!this.ground.isConnected)return;let r=this.data.run.maps[t];this.leaflet&&Lt(this.leaflet),this.leaflet=
ne(this.ground,r),s.theme="auto",s.chosen=a=>this.tell(s,n,a),this.atlas=globalThis.NavVizAtlas.draw(this.leaflet,s),this.rows=n,this.limit(),this.ground.dataset.
ready="true"}show(t){this.passing=t,this.limit()}limit(){let{passing:t,rows:e}=this;if(!this.atlas||!e?.length)return;let s=e.flatMap((n,r)=>n!==void 0&&(!t||t.
has(n))?[r]:[]);this.atlas.show(s)}tell(t,e,s){let r=new Set(e.filter((h,c)=>h!==void 0&&oe(t,c,s))),[a]=r;if(a===void 0)return;if(r.size===1){this.note.replaceChildren(
o("a",{href:this.href(a),text:"Replay this episode"}));return}let l={click:()=>this.onChoose(r)};this.note.replaceChildren(o("button",{type:"button",text:`Show \
these ${r.size} episodes`,on:l}))}};function ne(i,{frame:t,corners:e,attribution:s}){let n=t==="geo",r=n?L.CRS.EPSG3857:L.CRS.Simple,a=L.map(i,{crs:r,preferCanvas:!0,
zoomSnap:.25,minZoom:n?1:-3,maxZoom:20});return e&&a.fitBounds(e,{padding:[12,12]}),s&&a.attributionControl.addAttribution(ie(s)),a}function ie(i){return o("spa\
n",{text:i}).innerHTML}function oe(i,t,e){let s=i.walks[t],{left:n,through:r}=i.marks;if(e.startsWith(Rt))return decodeURIComponent(e.slice(Rt.length))===s.id;let a=e.
startsWith(n)?s.d:s.v,l=new Set(e.slice(e.startsWith(n)?n.length:r.length).split(";"));return a.some(h=>l.has(i.names[h]))}var jt=["table","gallery","map"],K=class{constructor(t,e,s){this.data=e,this.rows=s;let{run:n}=e,r=m();this.state=P(r,n.columns),this.view=jt.includes(r.get("as")??
"")?String(r.get("as")):"table",this.only=null,this.causes=o("section",{"aria-label":"Why it failed"}),this.groups=void 0,this.tools=o("div",{class:"ns-views",role:"\
group","aria-label":"View"}),this.marks=o("span",{class:"ns-marks"});let a=o("div",{class:"ns-list"}),l=o("section",{"aria-label":"Figures"},...zt(n));t.replaceChildren(
l,o("h2",{text:"Why it failed"}),this.causes,o("h2",{text:"Episodes"}),a),this.list=new W(a,s,n.columns,{change:h=>this.take(h),open:h=>location.assign(this.href(
h)),href:h=>this.href(h),thumbOf:h=>e.thumb(h),run:()=>n.name}),this.list.before.append(this.tools),this.list.after.append(this.marks),this.draw()}link(t={}){let e=this.
view==="table"?void 0:this.view;return g({run:this.data.run.name,as:e,..._(this.state),...t})}href(t){return this.link({episode:String(this.rows.cell("episode",
t))})}take(t){this.state=t,z(this.link()),this.show()}turn(t){this.view=t,z(this.link()),this.draw()}draw(){let{data:t,list:e}=this,s=jt.map(n=>{let r=wt(n),a=String(
n===this.view);return o("button",{type:"button","aria-pressed":a,text:r,on:{click:()=>this.turn(n)}})});this.tools.replaceChildren(...s),e.turn(this.view),this.
map=void 0,this.view==="map"&&(this.map=new U(e.box,t,n=>this.href(n),n=>this.choose(n))),this.show()}show(){let{run:t}=this.data,{list:e,only:s}=this;e.only=this.
view==="map"?null:s,e.show(this.state);let{choices:n}=this.state;if(this.causes.replaceChildren(rt(t,"acts",n.act??[],l=>this.by("act",l)),rt(t,"causes",n.cause??
[],l=>this.by("cause",l))),t.groups.length){let l=this.groups?.open;this.groups=Tt(t,n.words??[],h=>this.by("words",h)),l&&(this.groups.open=!0),this.causes.append(
this.groups)}this.map?.show(I(this.state)?new Set(e.shown):null);let r=s&&`${s.size} from the map ✕`,a={click:()=>this.choose(null)};this.marks.replaceChildren(
...r?[o("button",{type:"button",text:r,title:"Show all again",on:a})]:[])}by(t,e){let s=(this.state.choices[t]??[]).includes(e);this.take({...this.state,choices:{
...this.state.choices,[t]:s?[]:[e]}})}choose(t){this.only=t,t?this.turn("table"):this.show()}};var at=class{constructor(t,e){this.site=e,ht(e.url),this.runs=e.runs.map((s,n)=>new H(s,n)),this.head=o("header",{class:"ns-head"}),this.body=o("div",{class:"ns\
-body"}),t.replaceChildren(this.head,this.body),this.root=t,this.page=void 0,this.turn=0,addEventListener("hashchange",()=>this.show())}get current(){let t=m().
get("run");return this.runs.find(({run:e})=>e.name===t)??this.runs[0]}async show(){let t=++this.turn,e=m(),s=this.current;this.page?.destroy(),this.page=void 0;
let n=e.has("episode")?"episode":e.get("view")??"run";this.tell(n,s),this.root.dataset.view=n,delete this.root.dataset.ready;try{await this.draw(n,s,e.get("epis\
ode")??"",t)}catch(r){t===this.turn&&this.body.replaceChildren(o("p",{class:"ns-fault",text:String(r)}))}t===this.turn&&(this.root.dataset.ready="true")}async draw(t,e,s,n){
let r=o("div",{class:`ns-page ns-${t==="episode"?"wide-page":"text-page"}`});if(t==="episode"){this.body.replaceChildren(r);let a=this.runs.filter(l=>l!==e);this.
page=new F(r,e,a),await this.page.open(s)}else if(t==="compare")this.body.replaceChildren(r),await mt(r,this.site,this.runs);else if(t==="about")this.body.replaceChildren(
r),gt(r,this.site,e.run);else{let a=await e.rows();if(n!==this.turn)return;this.body.replaceChildren(r),new K(r,e,a)}}tell(t,e){let{name:s}=e.run,n=m().has("emb\
ed");document.body.classList.toggle("ns-embedded",n),this.head.hidden=n;let a=[["run","Run",g({run:s})],...this.runs.length>1?[["compare","Compare",g({view:"com\
pare",run:s})]]:[],["about","About",g({view:"about",run:s})]].map(([u,w,v])=>o("a",{href:v,text:w,"aria-current":u===t?"page":void 0})),l=this.runs.map(({run:u})=>o(
"option",{value:u.name,selected:u.name===s,text:u.name})),c=o("select",{"aria-label":"Run",on:{change:()=>this.pick(c.value)}},...l),d=o("h1",{},o("a",{href:g({
run:s}),text:this.site.title})),p=this.runs.length>1?c:o("span",{class:"ns-quiet",text:this.walker(e)});this.head.replaceChildren(d,p,o("nav",{"aria-label":"Pag\
es"},...a));let f=m().get("episode");document.title=f?`${f} · ${this.site.title}`:this.site.title}walker({run:t}){return[t.navigator,t.model].filter(Boolean).join(
" · ")}pick(t){let e=m().get("view")??void 0;location.hash=g({run:t,view:e})}};function re(){let i=matchMedia("(prefers-color-scheme: dark)"),t=()=>{document.documentElement.
dataset.theme=i.matches?"dark":"light"};i.addEventListener("change",t),t()}async function ae(){let i=document.getElementById("site"),[t]=globalThis.navvizSite??
[];t!==void 0&&await new at(i,await $(t)).show()}re();var le=globalThis.navviz_chunk;globalThis.navviz_chunk=(i,t)=>{le(i,t),i==="site"&&(globalThis.navvizSite=
t,ae())};})();
