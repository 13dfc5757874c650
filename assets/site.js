/* Built from assets/player/src by `npm run build`; do not edit. */
"use strict";(()=>{var jt=new Set(["class","text","on","data","style"]);function r(i,t={},...e){let s=document.createElement(i);t.class&&(s.className=t.class),t.text!==void 0&&t.text!==
null&&(s.textContent=String(t.text));for(let[n,o]of Object.entries(t.on??{}))s.addEventListener(n,o);for(let[n,o]of Object.entries(t.data??{}))s.dataset[n]=String(
o);for(let[n,o]of Object.entries(t.style??{}))s.style.setProperty(n,o);for(let[n,o]of Object.entries(t))jt.has(n)||o===void 0||o===null||o===!1||s.setAttribute(
n,o===!0?"":String(o));for(let n of e.flat())n!=null&&n!==!1&&s.append(n);return s}var Rt="http://www.w3.org/2000/svg";function b(i,t={},...e){let s=document.createElementNS(
Rt,i);for(let[n,o]of Object.entries(t))s.setAttribute(n,String(o));return s.append(...e),s}function m(){return new URLSearchParams(location.hash.replace(/^#\??/,""))}function g(i){let t=new URLSearchParams;for(let[e,s]of Object.entries(i))if(Array.isArray(
s))for(let n of s)t.append(e,n);else s!==void 0&&s!==""&&t.set(e,String(s));return`#${t}`}var Z="";function ot(i){Z=i.replace(/#.*$/,"")}function X(i){return(location.
protocol==="file:"&&Z?Z:location.href.replace(/#.*$/,""))+i}function R(i){location.hash!==i&&(location.hash=i)}function C(i){try{history.replaceState(null,"",i)}catch{}}var Y=new Map,J=new Map;globalThis.navviz_chunk=(i,t)=>{Y.set(i,t)};function y(i){let t=J.get(i)??new Promise((e,s)=>{let n=document.createElement("script");n.src=
i,n.addEventListener("load",()=>e()),n.addEventListener("error",()=>{J.delete(i),s(new Error(`${i} cannot be read: the site is not whole, or the connection is g\
one.`))}),document.head.append(n)});return J.set(i,t),t}function M(i){if(document.querySelector(`link[href="${CSS.escape(i)}"]`))return;let t=document.createElement(
"link");t.rel="stylesheet",t.href=i,document.head.prepend(t)}async function Q(i){return Y.has(i)||await y(`data/${i}.js`),Y.get(i)??[]}function z(i){let t=Uint8Array.
from(atob(i),s=>s.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(e).json()}async function T(i){let[t]=await Q(
i);return z(t)}function A(){return{search:"",choices:{},ranges:{},sort:null,descending:!1}}function Nt(i){let t=i.split(",").map(n=>n.trim()===""?Number.NaN:Number(n)),[e,s]=t;
return t.length===2&&Number.isFinite(e)&&Number.isFinite(s)&&e<=s?[e,s]:null}function N(i,t){let e=A();e.search=(i.get("q")??"").trim();for(let{name:o,filter:a}of t){
let l=i.get(o)??"";if(a==="range"){let h=Nt(l);h&&(e.ranges[o]=h)}else if(a){let h=l.split(",").filter(Boolean);h.length&&(e.choices[o]=h)}}let s=i.get("sort")??
"",n=t.find(({name:o})=>o===s.replace(/^-/,""));return n&&n.kind!=="tags"&&(e.sort=n.name,e.descending=s.startsWith("-")),e}function P(i){let t={};i.search&&(t.
q=i.search);for(let[e,s]of Object.entries(i.choices))s.length&&(t[e]=s.join(","));for(let[e,[s,n]]of Object.entries(i.ranges))t[e]=`${s},${n}`;return i.sort&&(t.
sort=(i.descending?"-":"")+i.sort),t}function _(i){let t=Object.values(i.choices).some(e=>e.length>0);return i.search!==""||t||Object.keys(i.ranges).length>0}function at(i,t){
return i.sort===t.name?{...i,descending:!i.descending}:{...i,sort:t.name,descending:t.kind==="number"}}function ht(i,t){if(i.frame!==t.frame||i.world!==t.world)return!1;let[e,s]=[i,t].map(({episode:n})=>n.dataset.toLowerCase());return e!==""&&e===s||lt(i,i.episode.
start)===lt(t,t.episode.start)}function ct(i,t,e){let s=new tt(i.doc),n=t.map(({name:S,doc:v})=>({label:S,other:v,...s.take(v,S)})),[o,...a]=n;if(!o)return i.doc;
let{other:l}=o,{navigator:h,settings:c,eyes:d,run:p,model:f,created:u,source:x,forked_from:k,metrics:w}=l,O={navigator:h,settings:c,eyes:d,run:p,model:f,created:u,
source:x,forked_from:k,metrics:w,label:o.label,instruction:l.episode.instruction,sub_goals:[],steps:o.steps,end:o.end,first_difference:Pt(i.doc.steps,o.steps)},
j=a.map(({label:S,steps:v,end:K},G)=>({label:S,steps:v,end:K,colour:e[G]}));return{...s.document(),label:i.name,compare:O,further:j}}function Pt(i,t){for(let e=0;e<
Math.min(i.length,t.length);e+=1){let{node:s,path:n,decision:o}=i[e];if(JSON.stringify([s,o?.target,n])!==JSON.stringify([t[e].node,t[e].target,t[e].path]))return i[e].
index}return i.length===t.length?void 0:Math.min(i.length,t.length)+1}function lt(i,t){return typeof t=="number"?i.nodes.ids[t]:t}var tt=class{constructor(t){this.
doc=t,this.size=t.frame==="geo"?2:3,this.nodes={...t.nodes,ids:[...t.nodes.ids],at:[...t.nodes.at]},this.links=[...t.links],this.streets=[...t.streets],this.bends=
[...t.bends??[]],this.floors=[...t.indoor?.floor_of??[]],this.index=new Map(t.nodes.ids.map((e,s)=>[e,s]))}document(){let{doc:t,nodes:e,links:s,streets:n,bends:o,
floors:a}=this,l=t.indoor&&{...t.indoor,floor_of:a};return{...t,nodes:e,links:s,streets:n,bends:o,...l?{indoor:l}:{}}}take(t,e){let s=new Map,n=c=>{if(typeof c!=
"number")return c;let d=s.get(c)??this.found(t,c)??this.add(t,c,e);return s.set(c,d),d},o=c=>c===void 0?void 0:n(c),a=t.steps.map(({node:c,path:d,heading_deg:p,
decision:f})=>({node:o(c),target:o(f?.target),path:d.map(n),heading_deg:p})),l=this.nodes.ids.length,h=o(t.end?.node);l>this.doc.nodes.ids.length&&this.streets.
push(...t.streets);for(let{ends:c,at:d}of t.bends??[]){let p=c.map(f=>s.get(f));p[0]!==void 0&&p[1]!==void 0&&this.bends.push({ends:[p[0],p[1]],at:d})}return{steps:a,
end:h}}found(t,e){let s=this.index.get(t.nodes.ids[e]);if(s===void 0)return;let[n,o]=[this.nodes.at,t.nodes.at].map((a,l)=>{let h=this.size*(l?e:s);return a.slice(
h,h+this.size)});return n.every((a,l)=>Math.abs(a-o[l])<=1e-5)?s:void 0}add(t,e,s){let n=t.nodes.ids[e],o=this.index.has(n),a=this.nodes.ids.length;return this.
nodes.ids.push(o?`${s}: ${n}`:n),this.nodes.at.push(...t.nodes.at.slice(this.size*e,this.size*(e+1))),this.doc.indoor&&this.floors.push(t.indoor?.floor_of[e]??0),
o||this.index.set(n,a),a}};var dt=250,et=7,_t=2,I=class{constructor(t,e,s){this.root=t,this.data=e,this.others=s,this.bare=m().has("embed"),this.state=N(m(),e.run.columns),this.over=m().getAll(
"with").slice(0,et),this.elsewhere=new Map,this.order=[],this.row=0,this.step=0,this.written=0,this.bar=r("nav",{class:"ns-episode",hidden:this.bare,"aria-label":"\
Episode"}),this.box=r("div",{class:"ns-player"}),t.replaceChildren(this.bar,this.box)}async open(t){M("assets/leaflet.css"),M("assets/player.css");let e=y("asse\
ts/leaflet.js").then(()=>y("assets/player.js")),[s,n]=await Promise.all([this.data.rows(),this.data.row(t),e]);if(n===void 0){this.box.replaceChildren(r("p",{text:`${this.
data.run.name} has no episode ${t}.`}));return}this.row=n,this.rows=s,this.order=s.apply(this.state);let o=await this.data.document(n),a=await this.laid(o,t),l=a.
length?ct({name:this.data.run.name,doc:o},a,It()):o;if(!this.box.isConnected)return;await this.tell(t);let h=Number(m().get("step")??""),c=r("div",{});this.box.
replaceChildren(c);let d=globalThis.NavVizPlayer;this.player=await d.mount(c,l,{deepLink:!1,height:"fill",episodes:!this.bare,start:"cause",...h?{step:h}:{},onStep:p=>this.
remember(p),onAction:(p,f,u)=>this.act(p,u),runIndex:this.bare?void 0:()=>this.index(),loadPlotly:()=>y("assets/plotly.js")}),this.step=this.player.step,this.point(
t)}async laid(t,e){let s=[];for(let n of this.others){let o=this.over.includes(n.run.name)?await n.row(e):void 0;if(o===void 0)continue;let a=await n.document(o);
ht(t,a)&&s.push({name:n.run.name,doc:a})}return s}async index(){let t=await this.data.rows();return t.column("episode").map((e,s)=>[String(e),String(t.cell("ins\
truction",s)??"")])}act(t,e){t==="open"&&e&&R(this.link({episode:e}));let s=this.neighbour(t==="next"?1:-1);(t==="next"||t==="previous")&&s!==void 0&&R(this.link(
{episode:s}))}neighbour(t){let e=this.order.indexOf(this.row),s=this.order[e<0?0:e+t];return s===void 0?void 0:String(this.rows?.cell("episode",s))}link(t){let e=this.
bare?"1":void 0,s=m().get("as")??void 0;return g({run:this.data.run.name,as:s,with:this.over,...P(this.state),embed:e,...t})}stepLink(){let t=String(this.rows?.
cell("episode",this.row));return g({run:this.data.run.name,episode:t,with:this.over,step:this.step||void 0})}stepIn(t,e){let s=this.over.map(n=>n===t?this.data.
run.name:n);return g({run:t,episode:e,with:s,step:this.step||void 0})}point(t){for(let[e,s]of this.elsewhere)s.href=this.stepIn(e,t)}remember(t){this.step=t,clearTimeout(
this.waiting);let e=String(this.rows?.cell("episode",this.row));this.point(e);let s=()=>{this.written=performance.now(),this.box.isConnected&&C(this.link({episode:e,
step:t}))};performance.now()-this.written>dt?s():this.waiting=setTimeout(s,dt)}async tell(t){let e=this.order.indexOf(this.row),s=e<0?"":`${e+1} of ${this.order.
length}`,n=[];this.elsewhere.clear();for(let o of this.others)await o.row(t)!==void 0&&n.push(this.other(o.run.name,t));this.bar.replaceChildren(r("a",{href:this.
link({}),text:"← List"}),this.arrow("‹","Previous episode (p)",-1),r("b",{text:t,title:s}),r("span",{class:"ns-quiet",text:s}),this.arrow("›","Next episod\
e (n)",1),...n.length>_t?[this.folded(n)]:n,r("span",{class:"ns-space"}),this.copier("Copy link","Address of this step",()=>X(this.stepLink())),this.copier("Emb\
ed","Snippet of HTML for your own page",()=>this.snippet()))}other(t,e){let s=r("a",{href:this.stepIn(t,e),text:`in ${t}`,title:"The same step in this run"});this.
elsewhere.set(t,s);let n=this.over.includes(t),o={click:()=>this.lay(t,e)},a=n?`Take the walk of ${t} off the map`:`Lay the walk of ${t} over this one`,l={type:"\
button",text:"over it",title:a,"aria-label":a,"aria-pressed":String(n)},h=!n&&this.over.length>=et;return r("span",{class:"ns-other"},s,r("button",{...l,disabled:h,
on:o}))}folded(t){let e=this.over.length,s=e?`${e} of ${t.length} other runs over it`:`${t.length} other runs`;return r("details",{class:"ns-others"},r("summary",
{text:s}),...t)}lay(t,e){let s=this.over.includes(t)?this.over.filter(n=>n!==t):[...this.over,t];R(this.link({episode:e,with:s,step:this.step||void 0}))}arrow(t,e,s){
let n=this.neighbour(s),o=this.order.indexOf(this.row);return n===void 0||o+s<0?r("span",{class:"ns-arrow","aria-hidden":"true",text:t}):r("a",{class:"ns-arrow",
href:this.link({episode:n}),title:e,"aria-label":e,text:t})}copier(t,e,s){return r("button",{type:"button",text:t,title:e,on:{click:()=>this.copy(s())}})}snippet(){
let t=X(`${this.stepLink()}&embed=1`),e=r("iframe",{src:t,title:`NavViz: ${this.data.run.name}`,width:"100%",height:640});return e.setAttribute("style","border:\
0"),e.setAttribute("loading","lazy"),e.outerHTML}async copy(t){let e=r("textarea",{readonly:!0,rows:3,"aria-label":"To copy"});e.value=t;let s=r("span",{class:"\
ns-quiet",text:""}),n=r("button",{type:"button",text:"Close",on:{click:()=>o.remove()}}),o=r("div",{class:"ns-copy"},e,s,n);this.root.querySelector(".ns-copy")?.
remove(),this.bar.after(o),e.select();try{await navigator.clipboard.writeText(t),s.textContent="Copied."}catch{s.textContent="Press Ctrl+C to copy."}}destroy(){
clearTimeout(this.waiting),this.player?.destroy()}};function It(){let i=getComputedStyle(document.documentElement);return Array.from({length:et-1},(t,e)=>i.getPropertyValue(
`--nv-further-${e+1}`).trim())}var Ft=200;async function pt(i,t,e){let{compare:s}=t;if(!s){let d=t.compare_fault||"There is only one run on this site.";i.replaceChildren(r("p",{text:d}));return}
let n=[...new Set(s.figures.map(({metric:d})=>d))],o=[...new Set(s.figures.map(({run:d})=>d))],a=r("tr",{},r("th",{text:"run"}),...n.map(d=>r("th",{text:d}))),l=o.
map(d=>{let p=n.map(u=>{let x=s.figures.find(rt=>rt.run===d&&rt.metric===u);if(!x)return r("td",{text:"–"});let{text:k,span:w,n:O,difference:j,pairs:S,p:v,test:K}=x,
G=`${j}; p ${v.startsWith("<")?v:`= ${v}`} · n = ${S}`,Lt=j&&r("small",{title:K,text:G});return r("td",{},r("b",{text:k}),r("small",{text:`${w} · n = ${O}`}),
Lt)}),f=d===s.baseline?" (baseline)":"";return r("tr",{},r("th",{text:d+f,scope:"row"}),...p)}),h=r("div",{class:"ns-wide"},r("table",{class:"ns-table"},r("thea\
d",{},a),r("tbody",{},...l))),c=r("div",{});i.replaceChildren(h,r("p",{class:"ns-quiet",text:s.note}),c),c.replaceChildren(...await Bt(e))}async function Bt(i){
let[t,...e]=i,n=(await t.rows()).column("episode").map(String),o=new Map,a=await Promise.all(i.map(Vt));for(let d of n){let p=a.map(u=>u.get(d));if(p.some(u=>u===
void 0||u==="unknown"))continue;let f=p.map(u=>u==="success"?"✓":"✗").join(" ");o.set(f,[...o.get(f)??[],d])}if(!e.length||!o.size)return[];let h=[...o].sort(
(d,p)=>p[1].length-d[1].length).map(([d,p])=>{let f=e.map(({run:w})=>w.name),u=p.slice(0,Ft).map(w=>r("a",{href:g({run:t.run.name,episode:w,with:f}),text:w})),x=i.
map(({run:w},O)=>`${d.split(" ")[O]} ${w.name}`).join(" · "),k=r("summary",{},r("b",{text:p.length}),` ${x}`);return r("details",{class:"ns-pattern"},k,r("p",{},
...u))});return[r("h2",{text:"Who succeeds where"}),r("p",{class:"ns-quiet",text:"A link opens all walks of an episode on one map."}),...h]}async function Vt(i){
let t=await i.rows();return new Map(t.column("episode").map((e,s)=>[String(e),String(t.cell("outcome",s))]))}function ut(i,t,e){let s=[["Run",e.name],["Episodes",
`${e.episodes} (${e.summary})`],...e.about];t.source&&s.unshift(["Source",t.source]),t.authors&&s.unshift(["Authors",t.authors]);let n=t.without.length?`${t.without.
join(", ")} were left out of this site`:"";n&&s.push(["Left out",n]);let o=s.map(([c,d])=>r("tr",{},r("th",{scope:"row",text:c}),r("td",{text:d}))),a=e.files.map(
({role:c,name:d,sha256:p})=>r("tr",{},r("th",{scope:"row",text:c}),r("td",{},d,r("code",{text:p??"not hashed"})))),l=[...new Set(e.maps.map(({attribution:c})=>c).
filter(Boolean))],h=t.licence||"No licence was stated: ask the authors before you use the runs elsewhere.";i.replaceChildren(r("h2",{text:"Where the figures com\
e from"}),r("table",{class:"ns-facts"},r("tbody",{},...o)),...e.notes.map(c=>r("p",{class:"ns-quiet",text:c})),r("h2",{text:"Files, with their SHA-256"}),r("tab\
le",{class:"ns-facts"},r("tbody",{},...a)),r("h2",{text:"Licence"}),r("p",{text:h}),...l.map(c=>r("p",{text:`Maps: ${c}`})),r("h2",{text:"Cite"}),r("pre",{text:t.
bibtex}),r("p",{class:"ns-quiet",text:`Scores and causes were computed anew by ${t.made_with} from the files above.`}))}function qt(i){return i.toLowerCase().replace(/\p{Nd}+/gu,t=>t.padStart(20,"0"))}var F=class{constructor(t){this.columns=t,this.count=Object.values(t)[0]?.length??
0,this.texts=void 0,this.sortKeys=new Map}column(t){return Object.hasOwn(this.columns,t)?this.columns[t]:[]}cell(t,e){return this.column(t)[e]??null}haystacks(){
if(!this.texts){let[t,e]=[this.column("episode"),this.column("instruction")];this.texts=t.map((s,n)=>`${e[n]??""} ${s}`.toLowerCase())}return this.texts}apply(t){
let e=Array.from({length:this.count},(n,o)=>o),s=t.search.toLowerCase().split(/\s+/).filter(Boolean);if(s.length){let n=this.haystacks();e=e.filter(o=>s.every(a=>n[o].
includes(a)))}for(let[n,o]of Object.entries(t.choices))o.length&&(e=this.chosen(e,n,new Set(o)));for(let[n,[o,a]]of Object.entries(t.ranges)){let l=this.column(
n);e=e.filter(h=>Dt(l[h],o,a))}return t.sort?this.sorted(e,t.sort,t.descending):e}chosen(t,e,s){let n=this.column(e);return t.filter(o=>{let a=n[o];return Array.
isArray(a)?[...s].every(l=>a.includes(l)):a!=null&&s.has(String(a))})}sorted(t,e,s){let n=this.keys(e),o=t.filter(h=>(n[h]??null)!==null),a=t.filter(h=>(n[h]??null)===
null),l=s?-1:1;return o.sort((h,c)=>l*Wt(n[h],n[c])||h-c),[...o,...a]}keys(t){let e=this.sortKeys.get(t)??this.column(t).map(s=>typeof s=="string"?qt(s):s);return this.
sortKeys.set(t,e),e}counts(t){let e=new Map;for(let s of this.column(t))for(let n of Array.isArray(s)?s:[s])n!=null&&e.set(String(n),(e.get(String(n))??0)+1);return e}span(t){
let[e,s]=[Number.POSITIVE_INFINITY,Number.NEGATIVE_INFINITY];for(let n of this.column(t))typeof n=="number"&&(e=Math.min(e,n),s=Math.max(s,n));return e<=s?{low:e,
high:s}:null}};function Dt(i,t,e){return typeof i=="number"&&i>=t&&i<=e}function Wt(i,t){if(typeof i=="number"&&typeof t=="number")return i-t;let[e,s]=[String(i),
String(t)];return e===s?0:e<s?-1:1}var B=class{constructor(t,e){this.run=t,this.number=e,this.loading=void 0,this.thumbs=new Map,this.rowOf=void 0}rows(){return this.loading??=T(`list-${this.number}`).
then(t=>new F(t)),this.loading}async row(t){let e=await this.rows();return this.rowOf??=new Map(e.column("episode").map((s,n)=>[String(s),n])),this.rowOf.get(t)}async thumb(t){
let e=Math.floor(t/this.run.thumbs),s=this.thumbs.get(e)??T(`thumbs-${this.number}-${e}`);return this.thumbs.set(e,s),(await s)[t%this.run.thumbs]}async document(t){
let{chunk_of:e}=this.run,s=e[t],n=await Q(`episodes-${this.number}-${s}`);return z(n[t-e.indexOf(s)])}};var Ut=/^'*[=+\-@\t\r\n]/,Ht=/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,Kt=/[",\r\n]/;function ft(i){if(i==null)return"";if(typeof i=="number")return String(i);let t=Array.
isArray(i)?i.join("; "):i,e=Ut.test(t)&&!Ht.test(t)?`'${t}`:t;return Kt.test(e)?`"${e.replaceAll('"','""')}"`:e}function mt(i,t,e){let s=[t.map(({name:n})=>ft(n)).
join(",")];for(let n of e)s.push(t.map(({name:o})=>ft(i.cell(o,n))).join(","));return`${s.join(`
`)}
`}function gt(i){return`${i.replace(/[^\p{L}\p{N}._-]+/gu,"-").replace(/^[-.]+|[-.]+$/g,"")||"episodes"}.csv`}function xt(i,t){let e=URL.createObjectURL(new Blob(
[t],{type:"text/csv;charset=utf-8"})),s=document.createElement("a");s.href=e,s.download=i,s.click(),setTimeout(()=>URL.revokeObjectURL(e),6e4)}var wt=12,$=class{constructor(t,e,s){this.box=t,this.height=e,this.draw=s,this.lines=0,this.first=-1,this.last=-1,this.sheet=r("div",{class:"nl-sheet"}),t.append(
this.sheet),t.addEventListener("scroll",()=>this.fill()),this.sizes=new ResizeObserver(()=>this.fill()),this.sizes.observe(t)}show(t){this.lines=t,this.sheet.style.
height=`${t*this.height}px`,this.first=this.last=-1,this.fill()}redraw(){this.first=-1,this.fill()}fill(){let t=Math.max(0,this.box.scrollTop-this.sheet.offsetTop),
e=Math.max(0,Math.floor(t/this.height)-wt),s=Math.min(this.lines,Math.ceil((t+this.box.clientHeight)/this.height)+wt);if(e===this.first&&s===this.last)return;[this.
first,this.last]=[e,s];let n=[];for(let o=e;o<s;o+=1){let a=this.draw(o);a.style.top=`${o*this.height}px`,n.push(a)}this.sheet.replaceChildren(...n)}reveal(t){let e=t*
this.height,{scrollTop:s,clientHeight:n}=this.box,o=n-this.sheet.offsetTop;e<s?this.box.scrollTop=e:e+this.height>s+o&&(this.box.scrollTop=e+this.height-o)}destroy(){
this.sizes.disconnect(),this.sheet.remove()}};var bt=32,vt={episode:96,outcome:96,instruction:380,cause:220,number:98,text:138,tags:180},yt=34,Gt="–";function E(i,{labels:t}){return t&&Object.hasOwn(t,i)?
t[i]:i}function Zt(i,t){return i==null||Array.isArray(i)&&!i.length?Gt:Array.isArray(i)?i.map(e=>E(e,t)).join(", "):typeof i=="string"?E(i,t):typeof i=="number"&&
t.digits!==void 0?i.toFixed(t.digits):String(Math.round(i*1e4)/1e4)}var kt=i=>i.ctrlKey||i.metaKey||i.altKey,V=class{constructor(t,e,s,n){this.box=t,this.rows=e,
this.columns=s,this.on=n,this.shown=[],this.at=0;let o=s.map(({name:d,kind:p})=>vt[d]??vt[p]),a=s.map(({name:d},p)=>d==="instruction"?`minmax(${o[p]}px, 1fr)`:`${o[p]}\
px`);n.alike&&a.unshift(`${yt}px`);let l=o.reduce((d,p)=>d+p,n.alike?yt:0),h={"--nl-columns":a.join(" "),"--nl-width":`${l}px`};this.head=r("div",{class:"nl-hea\
ds",role:"row"});let c=r("div",{class:"nl-rows",role:"table",tabindex:0,style:h},this.head);t.replaceChildren(c),this.window=new $(c,bt,d=>this.line(d)),c.addEventListener(
"keydown",d=>this.onKey(d)),this.inner=c}show(t,e){this.shown=t,this.at=0;let s=this.columns.map(n=>this.headOf(n,e));this.on.alike&&s.unshift(r("span",{class:"\
nl-tool",role:"columnheader","aria-label":"Alike"})),this.head.replaceChildren(...s),this.inner.setAttribute("aria-rowcount",String(t.length+1)),this.inner.scrollTop=
0,this.window.show(t.length)}headOf(t,e){let s=e.sort===t.name,n=e.descending?"descending":"ascending",o=e.descending?" ↓":" ↑",a={class:`nl-cell nl-${t.kind}`,
role:"columnheader","aria-sort":s?n:"none"};if(t.kind==="tags")return r("span",{...a,title:t.help,text:t.label});let l={click:()=>this.on.sort(t)},h=r("button",
{type:"button",title:t.help,on:l},t.label+(s?o:""));return r("span",a,h)}line(t){let e=this.shown[t],s=this.columns.map(a=>{let l=Zt(this.rows.cell(a.name,e),a),
h={class:`nl-cell nl-${a.kind}`,role:"cell",title:l};return a.name!=="outcome"?r("span",{...h,dir:"auto",text:l}):r("span",h,r("span",{class:`nl-chip nl-${l}`,text:l}))});
this.on.alike&&s.unshift(this.tool(e));let o={class:`nl-row${t===this.at?" nl-here":""}`,role:"row",href:this.on.href(e),tabindex:-1,data:{row:e}};return r("a",
{...o,"aria-rowindex":t+2},...s)}isFailure(t){return t<this.shown.length&&this.rows.cell("outcome",this.shown[t])==="failure"}tool(t){let e=r("span",{class:"nl-\
tool",role:"cell"});if(this.rows.cell("outcome",t)!=="failure")return e;let s=`Failures like ${this.rows.cell("episode",t)}`,n={class:"nl-alike",role:"button",title:`${s}\
 (a)`,"aria-label":s,data:{alike:t}};return e.append(r("span",{...n,text:"≈"})),e}destroy(){this.window.destroy()}onKey(t){let e=Math.max(1,Math.floor(this.inner.
clientHeight/bt)-2),s={ArrowDown:1,ArrowUp:-1,PageDown:e,PageUp:-e,Home:-this.shown.length,End:this.shown.length};t.key==="Enter"&&t.target===this.inner&&this.shown.
length?this.on.open(this.shown[this.at]):t.key==="a"&&this.on.alike&&this.isFailure(this.at)&&!kt(t)?this.on.alike(this.shown[this.at]):t.key in s&&!kt(t)&&(t.preventDefault(),
this.at=Math.max(0,Math.min(this.shown.length-1,this.at+s[t.key])),this.window.reveal(this.at),this.window.redraw())}};var Xt=60,q=class{constructor(t,e,s,n){this.rows=e,this.onChange=n,this.state=A(),this.all=s,this.columns=s.filter(p=>this.divides(p)),this.sorts=s.filter(({kind:p})=>p!==
"tags");let o={input:()=>this.set({search:this.search.value.trim()})},a={type:"search",placeholder:"Search instructions and ids","aria-label":"Search"};this.search=
r("input",{...a,on:o}),this.body=r("div",{class:"nl-filter-list"}),this.mark=r("span",{class:"nl-filter-mark"});let l=r("summary",{},"Filters",this.mark);this.fold=
r("details",{class:"nl-filters"},l,this.body),this.clear=r("button",{type:"button",class:"nl-clear",text:"Clear filters",on:{click:()=>this.reset()}}),this.chips=
r("span",{class:"nl-chips"});let h={change:()=>this.set({sort:this.by.value||null,descending:this.falls(this.by.value)})};this.by=r("select",{"aria-label":"Sort\
 by",on:h},r("option",{value:"",text:"File order"}));for(let{name:p,label:f}of this.sorts)this.by.append(r("option",{value:p,text:f}));let c={click:()=>this.set(
{descending:!this.state.descending})};this.direction=r("button",{type:"button",class:"nl-direction",on:c});let d=r("span",{class:"nl-order"},this.by,this.direction);
t.replaceChildren(this.search,this.fold,d,this.chips,this.clear),this.onPress=p=>this.closeFrom(p.target),document.addEventListener("pointerdown",this.onPress),
this.fold.addEventListener("keydown",p=>this.closeByKey(p))}destroy(){document.removeEventListener("pointerdown",this.onPress)}closeByKey(t){t.key!=="Escape"||!this.
fold.open||(t.stopPropagation(),this.fold.open=!1,this.fold.querySelector("summary")?.focus())}falls(t){return this.sorts.some(e=>e.name===t&&e.kind==="number")}closeFrom(t){
this.fold.open&&t instanceof Node&&!this.fold.contains(t)&&(this.fold.open=!1)}divides({name:t,filter:e}){if(e==="range"){let s=this.rows.span(t);return s!==null&&
s.low<s.high}return e!==void 0&&this.rows.counts(t).size>1}show(t){this.state=t,this.search.value.trim()!==t.search&&(this.search.value=t.search);let s=Object.values(
t.choices).filter(n=>n.length).length+Object.keys(t.ranges).length;this.mark.textContent=s?String(s):"",this.clear.hidden=!_(t),this.chips.replaceChildren(...this.
chipsOf(t)),this.by.value=t.sort??"",this.direction.textContent=t.descending?"↓":"↑",this.direction.title=t.descending?"Falling; press for rising":"Rising; \
press for falling",this.direction.setAttribute("aria-label",this.direction.title),this.direction.disabled=!t.sort,this.body.contains(document.activeElement)||this.
body.replaceChildren(...this.columns.map(n=>this.part(n)))}chipsOf(t){let e=[];for(let s of this.all){let{name:n,label:o}=s;for(let a of t.choices[n]??[]){let l=t.
choices[n].filter(c=>c!==a),h={...t.choices,[n]:l};e.push(this.chip(`${o}: ${E(a,s)}`,{choices:h}))}if(Object.hasOwn(t.ranges,n)){let{[n]:a,...l}=t.ranges;e.push(
this.chip(`${o}: ${a[0]} to ${a[1]}`,{ranges:l}))}}return e}chip(t,e){let s={click:()=>this.set(e)},n={type:"button",class:"nl-off",title:`Take this filter away\
: ${t}`};return r("button",{...n,on:s},r("span",{text:t})," ✕")}set(t){this.onChange({...this.state,...t})}reset(){this.search.value="",this.set({search:"",choices:{},
ranges:{}})}part(t){let e=t.filter==="range"?this.range(t):this.choice(t);return r("fieldset",{title:t.help},r("legend",{text:t.label}),...e)}choice(t){let{name:e}=t,
s=new Set(this.state.choices[e]??[]);return[...this.rows.counts(e)].sort((o,a)=>a[1]-o[1]).slice(0,Xt).map(([o,a])=>{let l=c=>{c.target.checked?s.add(o):s.delete(
o),this.set({choices:{...this.state.choices,[e]:[...s]}})},h=r("input",{type:"checkbox",checked:s.has(o),on:{change:l}});return r("label",{},h,r("span",{text:E(
o,t)}),r("small",{text:a}))})}range({name:t}){let e=this.rows.span(t)??{low:0,high:0},[s,n]=this.state.ranges[t]??[e.low,e.high],o=[Math.floor(e.low),Math.ceil(
e.high)],a=[s,n].map((h,c)=>r("input",{type:"number",step:"any",value:c?Math.ceil(h):Math.floor(h),"aria-label":c?"at most":"at least",on:{change:()=>l()}})),l=()=>{
let h=a.map((d,p)=>d.value===""?o[p]:Number(d.value)),c={...this.state.ranges};h[0]<=o[0]&&h[1]>=o[1]?delete c[t]:c[t]=[Math.min(...h),Math.max(...h)],this.set(
{ranges:c})};return[r("div",{class:"nl-limits"},a[0],r("span",{text:"to"}),a[1])]}};var st=148;function St(i){let t=[];for(let e=0;e<i.length;e+=2)t.push(`${i[e]},${i[e+1]}`);return t.join(" ")}function Jt(i,t,e){let{r:s,a:n,l:o,g:a}=i,l=[];a&&
l.push(b("image",{class:"ground",href:a,width:96,height:96})),s.length&&(l.push(b("polyline",{class:"ref",points:St(s)})),l.push(b("circle",{class:"goal",cx:s[s.
length-2],cy:s[s.length-1],r:4.5})));for(let[c,d]of o??[[null,n]]){let p=b("polyline",{class:"agent",points:St(d)});typeof c=="string"&&(p.style.stroke=c),l.push(
p)}if(n.length){let[c,d]=n.slice(-2);l.push(b("circle",{class:"start",cx:n[0],cy:n[1],r:3})),t==="failure"?l.push(b("path",{class:"cross",d:`M${c-3},${d-3}l6,6m\
0,-6l-6,6`})):l.push(b("circle",{class:"stop",cx:c,cy:d,r:2.6}))}let h=b("svg",{class:"nl-thumb",viewBox:"0 0 96 96",role:"img","aria-label":e},...l);return h.dataset.
outcome=t,h}var D=class{constructor(t,e,s){this.thumbOf=e,this.cardOf=s,this.shown=[],this.across=1,this.inner=r("div",{class:"nl-gallery",tabindex:0,role:"list"}),
t.replaceChildren(this.inner),this.window=new $(this.inner,st,n=>this.line(n)),this.sizes=new ResizeObserver(()=>this.fit()),this.sizes.observe(this.inner)}show(t){
this.shown=t,this.inner.scrollTop=0,this.across=Math.max(1,Math.floor(this.inner.clientWidth/st)),this.window.show(Math.ceil(t.length/this.across))}fit(){let t=Math.
max(1,Math.floor(this.inner.clientWidth/st));t!==this.across&&(this.across=t,this.window.show(Math.ceil(this.shown.length/t)))}destroy(){this.sizes.disconnect(),
this.window.destroy()}line(t){let e=this.shown.slice(t*this.across,(t+1)*this.across);return r("div",{class:"nl-cards"},...e.map(s=>this.card(s)))}card(t){let{title:e,
caption:s,outcome:n,href:o}=this.cardOf(t),a=r("span",{class:"nl-picture"});return this.thumbOf(t).then(l=>a.replaceChildren(Jt(l,n,e))),r("a",{class:"nl-card",
role:"listitem",href:o,title:e,data:{row:t}},a,r("span",{text:s}))}};var W=class{constructor(t,e,s,n){this.rows=e,this.columns=s,this.host=n,this.state=A(),this.shown=[],this.only=null,this.view="",this.before=r("div",{class:"nl-\
before"}),this.after=r("div",{class:"nl-after"});let o=r("div",{class:"nl-filter-bar"});this.count=r("span",{class:"nl-count","aria-live":"polite"});let a={click:()=>xt(
gt(n.run()),mt(e,s,this.shown))},l="Download these episodes as CSV, in this order";this.csv=r("button",{type:"button",class:"nl-csv",title:l,text:"CSV",on:a}),this.
none=r("p",{class:"nl-none",text:"No episode passes these filters; clear one of them."}),this.box=r("div",{class:"nl-box"}),this.filters=new q(o,e,s,h=>n.change(
h)),t.replaceChildren(r("div",{class:"nl-bar"},this.before,o,this.count,this.csv,this.after),this.none,this.box)}turn(t){this.view=t,this.table?.destroy(),this.
gallery?.destroy(),this.table=this.gallery=void 0,this.box.replaceChildren(),t==="table"?this.table=new V(this.box,this.rows,this.columns,{open:e=>this.host.open(
e),sort:e=>this.host.change(at(this.state,e)),href:e=>this.host.href(e),alike:this.host.alike}):t==="gallery"&&(this.gallery=new D(this.box,this.host.thumbOf,e=>this.
card(e)))}show(t){this.state=t;let{rows:e,only:s}=this;this.shown=e.apply(t),s&&(this.shown=this.shown.filter(c=>s.has(c)));let{shown:n}=this,o=e.column("outcom\
e"),a=n.filter(c=>o[c]==="success").length,h=n.some(c=>o[c]!=="unknown")?` · ${a} succeeded`:"";this.count.textContent=`${n.length} of ${e.count} episodes${h}`,
this.csv.disabled=n.length===0,this.none.hidden=n.length>0,this.filters.show(t),this.table?.show(n,t),this.gallery?.show(n)}get scroller(){return this.table?.inner??
this.gallery?.inner}spot(){let{scrollTop:t=0,scrollLeft:e=0}=this.scroller??{},s=this.scroller?.contains(document.activeElement)??!1;return{top:t,left:e,at:this.
table?.at??0,isOpen:this.filters.fold.open,hasFocus:s}}resume({top:t,left:e,at:s,isOpen:n,hasFocus:o}){let{scroller:a,table:l,shown:h}=this;this.filters.fold.open=
n,l&&(l.at=Math.max(0,Math.min(s,h.length-1))),a&&(o&&a.focus({preventScroll:!0}),a.scrollTop=t,a.scrollLeft=e,l?.window.redraw())}card(t){let e=String(this.rows.
cell("episode",t)),s=String(this.rows.cell("outcome",t)),n=this.rows.cell("NE",t),o=typeof n=="number"?`${e} · ${n.toFixed(0)} m`:e;return{title:`${e}: ${s}. ${this.
rows.cell("instruction",t)??""}`,caption:o,outcome:s,href:this.host.href(t)}}destroy(){this.table?.destroy(),this.gallery?.destroy(),this.filters.destroy()}};var Mt=["SR","OSR","SPL","NE","nDTW","SDTW","SR_rec","SPL_rec","NE_rec","ISR","CSR","RGS"];function Ot(i){let t=i.figures.filter(({metric:o})=>Mt.includes(o)),e=i.
figures.filter(({metric:o})=>!Mt.includes(o)),s=r("dl",{class:"ns-figures"},...t.map($t));if(!e.length)return[s];let n=r("details",{class:"ns-more"},r("summary",
{text:`${e.length} more figures`}));return n.append(r("dl",{class:"ns-figures"},...e.map($t))),[s,n]}function $t({metric:i,title:t,text:e,span:s,n}){let o=`${t}\
; 95 % interval ${s||"unknown"}, over ${n} episodes`,a=[s,`n = ${n}`].filter(Boolean).join(" · ");return r("div",{title:o},r("dt",{text:i}),r("dd",{text:e}),r(
"small",{text:a}))}function nt(i){if(!i)return"";let t=s=>Math.round(100*s),e=i.low===void 0?"":` (${t(i.low)} to ${t(i.high??0)})`;return`${t(i.value)} %${e}`}
function Ct(i,t,e){if(!i.failures||!i.causes.length)return r("p",{class:"ns-quiet",text:"No failure to explain."});let s=Math.max(1,...i.causes.map(({likely:a})=>a)),
n=r("div",{class:"ns-cause ns-heads"},r("span",{text:`Likely cause of ${i.failures} failures`}),r("span",{}),r("span",{}),r("span",{text:"has it, of failures"}),
r("span",{text:"of successes"})),o=i.causes.map(({id:a,name:l,hint:h,likely:c,failed:d,succeeded:p})=>{let f=r("i",{style:{width:`${100*c/s}%`}}),u={click:()=>e(
a)},x=String(t.includes(a));return r("button",{type:"button",class:`ns-cause${p?"":" ns-none"}`,disabled:!c,"aria-pressed":x,on:u},r("span",{class:"ns-name",title:l},
l,h&&r("small",{text:"hint"})),r("span",{class:"ns-track"},f),r("b",{text:c}),r("span",{text:nt(d)}),r("span",{text:nt(p)}))});return r("div",{class:"ns-causes"},
n,...o)}function zt(i,t,e){let s=Math.max(1,...i.groups.map(({failures:c})=>c)),o=r("div",{class:"ns-cause ns-heads"},...["Words they share","","n","Share of th\
ese failures","A typical one"].map(c=>r("span",{text:c}))),a=i.groups.map(({id:c,words:d,failures:p,share:f,example:u})=>r("button",{type:"button",class:"ns-cau\
se","aria-pressed":String(t.includes(c)),on:{click:()=>e(c)}},r("span",{class:"ns-name",title:d,text:d,dir:"auto"}),r("span",{class:"ns-track"},r("i",{style:{width:`${100*
p/s}%`}})),r("b",{text:p}),r("span",{text:nt(f)}),r("span",{class:"ns-name",title:u,text:u,dir:"auto"}))),l=t.length>0,h=r("details",{class:"ns-more ns-alike",open:l},
r("summary",{text:"Alike by words"}));return h.append(r("p",{class:"ns-quiet",text:i.groups_note}),r("div",{class:"ns-causes"},o,...a)),h}function Tt(i){i.eachLayer(e=>{let s=e;s._redrawRequest&&(L.Util.cancelAnimFrame(s._redrawRequest),s._redrawRequest=null)});let t=i;clearTimeout(t.scrollWheelZoom?.
_timer),t._animatingZoom=!1,t.panBy=()=>i,i.remove()}var At="episode: ",U=class{constructor(t,e,s,n){this.data=e,this.href=s,this.onChoose=n,this.passing=null,this.turn=0;let{maps:o}=e.run,a=o.map(({name:h,walks:c},d)=>r(
"option",{value:d,text:`${h} (${c})`})),l={change:()=>this.draw(Number(this.picker.value))};this.picker=r("select",{"aria-label":"Map",hidden:o.length<2,on:l},...a),
this.note=r("span",{class:"ns-quiet",text:"Click a path, a disc or a junction."}),this.ground=r("div",{class:"ns-map"}),t.replaceChildren(r("div",{class:"ns-map\
-bar"},this.picker,this.note),this.ground),o.length?this.draw(0):this.note.textContent="This run has no walk on a map."}async draw(t){let e=++this.turn;M("asset\
s/leaflet.css"),M("assets/atlas.css"),await y("assets/leaflet.js"),await y("assets/atlas.js");let s=await T(`map-${this.data.number}-${t}`),n=await Promise.all(
s.walks.map(({id:a})=>this.data.row(a)));if(e!==this.turn||!this.ground.isConnected)return;let o=this.data.run.maps[t];this.leaflet&&Tt(this.leaflet),this.leaflet=
Yt(this.ground,o),s.theme="auto",s.chosen=a=>this.tell(s,n,a),this.atlas=globalThis.NavVizAtlas.draw(this.leaflet,s),this.rows=n,this.limit(),this.ground.dataset.
ready="true"}show(t){this.passing=t,this.limit()}limit(){let{passing:t,rows:e}=this;if(!this.atlas||!e?.length)return;let s=e.flatMap((n,o)=>n!==void 0&&(!t||t.
has(n))?[o]:[]);this.atlas.show(s)}tell(t,e,s){let o=new Set(e.filter((h,c)=>h!==void 0&&te(t,c,s))),[a]=o;if(a===void 0)return;if(o.size===1){this.note.replaceChildren(
r("a",{href:this.href(a),text:"Replay this episode"}));return}let l={click:()=>this.onChoose(o)};this.note.replaceChildren(r("button",{type:"button",text:`Show \
these ${o.size} episodes`,on:l}))}};function Yt(i,{frame:t,corners:e,attribution:s}){let n=t==="geo",o=n?L.CRS.EPSG3857:L.CRS.Simple,a=L.map(i,{crs:o,preferCanvas:!0,
zoomSnap:.25,minZoom:n?1:-3,maxZoom:20});return e&&a.fitBounds(e,{padding:[12,12]}),s&&a.attributionControl.addAttribution(Qt(s)),a}function Qt(i){return r("spa\
n",{text:i}).innerHTML}function te(i,t,e){let s=i.walks[t],{left:n,through:o}=i.marks;if(e.startsWith(At))return decodeURIComponent(e.slice(At.length))===s.id;let a=e.
startsWith(n)?s.d:s.v,l=new Set(e.slice(e.startsWith(n)?n.length:o.length).split(";"));return a.some(h=>l.has(i.names[h]))}var Et=["table","gallery","map"],H=class{constructor(t,e,s){this.data=e,this.rows=s;let{run:n}=e,o=m();this.state=N(o,n.columns),this.view=Et.includes(o.get("as")??
"")?String(o.get("as")):"table",this.only=null,this.causes=r("section",{"aria-label":"Why it failed"}),this.groups=void 0,this.tools=r("div",{class:"ns-views",role:"\
group","aria-label":"View"}),this.marks=r("span",{class:"ns-marks"});let a=r("div",{class:"ns-list"}),l=r("section",{"aria-label":"Figures"},...Ot(n));t.replaceChildren(
l,r("h2",{text:"Why it failed"}),this.causes,r("h2",{text:"Episodes"}),a),this.list=new W(a,s,n.columns,{change:h=>this.take(h),open:h=>location.assign(this.href(
h)),href:h=>this.href(h),thumbOf:h=>e.thumb(h),run:()=>n.name}),this.list.before.append(this.tools),this.list.after.append(this.marks),this.draw()}link(t={}){let e=this.
view==="table"?void 0:this.view;return g({run:this.data.run.name,as:e,...P(this.state),...t})}href(t){return this.link({episode:String(this.rows.cell("episode",
t))})}take(t){this.state=t,C(this.link()),this.show()}turn(t){this.view=t,C(this.link()),this.draw()}draw(){let{data:t,list:e}=this,s=Et.map(n=>{let o=n[0].toUpperCase()+
n.slice(1),a=String(n===this.view);return r("button",{type:"button","aria-pressed":a,text:o,on:{click:()=>this.turn(n)}})});this.tools.replaceChildren(...s),e.turn(
this.view),this.map=void 0,this.view==="map"&&(this.map=new U(e.box,t,n=>this.href(n),n=>this.choose(n))),this.show()}show(){let{run:t}=this.data,{list:e,only:s}=this;
e.only=this.view==="map"?null:s,e.show(this.state);let{choices:n}=this.state;if(this.causes.replaceChildren(Ct(t,n.cause??[],l=>this.by("cause",l))),t.groups.length){
let l=this.groups?.open;this.groups=zt(t,n.words??[],h=>this.by("words",h)),l&&(this.groups.open=!0),this.causes.append(this.groups)}this.map?.show(_(this.state)?
new Set(e.shown):null);let o=s&&`${s.size} from the map ✕`,a={click:()=>this.choose(null)};this.marks.replaceChildren(...o?[r("button",{type:"button",text:o,title:"\
Show all again",on:a})]:[])}by(t,e){let s=(this.state.choices[t]??[]).includes(e);this.take({...this.state,choices:{...this.state.choices,[t]:s?[]:[e]}})}choose(t){
this.only=t,t?this.turn("table"):this.show()}};var it=class{constructor(t,e){this.site=e,ot(e.url),this.runs=e.runs.map((s,n)=>new B(s,n)),this.head=r("header",{class:"ns-head"}),this.body=r("div",{class:"ns\
-body"}),t.replaceChildren(this.head,this.body),this.root=t,this.page=void 0,this.turn=0,addEventListener("hashchange",()=>this.show())}get current(){let t=m().
get("run");return this.runs.find(({run:e})=>e.name===t)??this.runs[0]}async show(){let t=++this.turn,e=m(),s=this.current;this.page?.destroy(),this.page=void 0;
let n=e.has("episode")?"episode":e.get("view")??"run";this.tell(n,s),this.root.dataset.view=n,delete this.root.dataset.ready;try{await this.draw(n,s,e.get("epis\
ode")??"",t)}catch(o){t===this.turn&&this.body.replaceChildren(r("p",{class:"ns-fault",text:String(o)}))}t===this.turn&&(this.root.dataset.ready="true")}async draw(t,e,s,n){
let o=r("div",{class:`ns-page ns-${t==="episode"?"wide-page":"text-page"}`});if(t==="episode"){this.body.replaceChildren(o);let a=this.runs.filter(l=>l!==e);this.
page=new I(o,e,a),await this.page.open(s)}else if(t==="compare")this.body.replaceChildren(o),await pt(o,this.site,this.runs);else if(t==="about")this.body.replaceChildren(
o),ut(o,this.site,e.run);else{let a=await e.rows();if(n!==this.turn)return;this.body.replaceChildren(o),new H(o,e,a)}}tell(t,e){let{name:s}=e.run,n=m().has("emb\
ed");document.body.classList.toggle("ns-embedded",n),this.head.hidden=n;let a=[["run","Run",g({run:s})],...this.runs.length>1?[["compare","Compare",g({view:"com\
pare",run:s})]]:[],["about","About",g({view:"about",run:s})]].map(([u,x,k])=>r("a",{href:k,text:x,"aria-current":u===t?"page":void 0})),l=this.runs.map(({run:u})=>r(
"option",{value:u.name,selected:u.name===s,text:u.name})),c=r("select",{"aria-label":"Run",on:{change:()=>this.pick(c.value)}},...l),d=r("h1",{},r("a",{href:g({
run:s}),text:this.site.title})),p=this.runs.length>1?c:r("span",{class:"ns-quiet",text:this.walker(e)});this.head.replaceChildren(d,p,r("nav",{"aria-label":"Pag\
es"},...a));let f=m().get("episode");document.title=f?`${f} · ${this.site.title}`:this.site.title}walker({run:t}){return[t.navigator,t.model].filter(Boolean).join(
" · ")}pick(t){let e=m().get("view")??void 0;location.hash=g({run:t,view:e})}};function ee(){let i=matchMedia("(prefers-color-scheme: dark)"),t=()=>{document.documentElement.
dataset.theme=i.matches?"dark":"light"};i.addEventListener("change",t),t()}async function se(){let i=document.getElementById("site"),[t]=globalThis.navvizSite??
[];t!==void 0&&await new it(i,await z(t)).show()}ee();var ne=globalThis.navviz_chunk;globalThis.navviz_chunk=(i,t)=>{ne(i,t),i==="site"&&(globalThis.navvizSite=
t,se())};})();
