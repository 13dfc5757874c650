/* Built from assets/player/src by `npm run build`; do not edit. */
"use strict";(()=>{var yt=new Set(["class","text","on","data","style"]);function i(r,t={},...e){let s=document.createElement(r);t.class&&(s.className=t.class),t.text!==void 0&&t.text!==
null&&(s.textContent=String(t.text));for(let[n,o]of Object.entries(t.on??{}))s.addEventListener(n,o);for(let[n,o]of Object.entries(t.data??{}))s.dataset[n]=String(
o);for(let[n,o]of Object.entries(t.style??{}))s.style.setProperty(n,o);for(let[n,o]of Object.entries(t))yt.has(n)||o===void 0||o===null||o===!1||s.setAttribute(
n,o===!0?"":String(o));for(let n of e.flat())n!=null&&n!==!1&&s.append(n);return s}var kt="http://www.w3.org/2000/svg";function w(r,t={},...e){let s=document.createElementNS(
kt,r);for(let[n,o]of Object.entries(t))s.setAttribute(n,String(o));return s.append(...e),s}function m(){return new URLSearchParams(location.hash.replace(/^#\??/,""))}function f(r){let t=new URLSearchParams;for(let[e,s]of Object.entries(r))s!==void 0&&
s!==""&&t.set(e,String(s));return`#${t}`}function W(r){return location.href.replace(/#.*$/,"")+r}function q(r){location.hash!==r&&(location.hash=r)}function S(r){
try{history.replaceState(null,"",r)}catch{}}var H=new Map,U=new Map;globalThis.navviz_chunk=(r,t)=>{H.set(r,t)};function b(r){let t=U.get(r)??new Promise((e,s)=>{let n=document.createElement("script");n.src=
r,n.addEventListener("load",()=>e()),n.addEventListener("error",()=>{U.delete(r),s(new Error(`${r} cannot be read: the site is not whole, or the connection is g\
one.`))}),document.head.append(n)});return U.set(r,t),t}function v(r){if(document.querySelector(`link[href="${CSS.escape(r)}"]`))return;let t=document.createElement(
"link");t.rel="stylesheet",t.href=r,document.head.prepend(t)}async function D(r){return H.has(r)||await b(`data/${r}.js`),H.get(r)??[]}function M(r){let t=Uint8Array.
from(atob(r),s=>s.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(e).json()}async function $(r){let[t]=await D(
r);return M(t)}function C(){return{search:"",choices:{},ranges:{},sort:null,descending:!1}}function St(r){let t=r.split(",").map(n=>n.trim()===""?Number.NaN:Number(n)),[e,s]=t;
return t.length===2&&Number.isFinite(e)&&Number.isFinite(s)&&e<=s?[e,s]:null}function z(r,t){let e=C();e.search=(r.get("q")??"").trim();for(let{name:o,filter:a}of t){
let h=r.get(o)??"";if(a==="range"){let l=St(h);l&&(e.ranges[o]=l)}else if(a){let l=h.split(",").filter(Boolean);l.length&&(e.choices[o]=l)}}let s=r.get("sort")??
"",n=t.find(({name:o})=>o===s.replace(/^-/,""));return n&&n.kind!=="tags"&&(e.sort=n.name,e.descending=s.startsWith("-")),e}function T(r){let t={};r.search&&(t.
q=r.search);for(let[e,s]of Object.entries(r.choices))s.length&&(t[e]=s.join(","));for(let[e,[s,n]]of Object.entries(r.ranges))t[e]=`${s},${n}`;return r.sort&&(t.
sort=(r.descending?"-":"")+r.sort),t}function E(r){let t=Object.values(r.choices).some(e=>e.length>0);return r.search!==""||t||Object.keys(r.ranges).length>0}function Y(r,t){
return r.sort===t.name?{...r,descending:!r.descending}:{...r,sort:t.name,descending:t.kind==="number"}}var Q=250,A=class{constructor(t,e,s){this.root=t,this.data=e,this.others=s,this.bare=m().has("embed"),this.state=z(m(),e.run.columns),this.order=[],this.row=0,this.
step=0,this.written=0,this.bar=i("nav",{class:"ns-episode",hidden:this.bare,"aria-label":"Episode"}),this.box=i("div",{class:"ns-player"}),t.replaceChildren(this.
bar,this.box)}async open(t){v("assets/leaflet.css"),v("assets/player.css");let e=b("assets/leaflet.js").then(()=>b("assets/player.js")),[s,n]=await Promise.all(
[this.data.rows(),this.data.row(t),e]);if(n===void 0){this.box.replaceChildren(i("p",{text:`${this.data.run.name} has no episode ${t}.`}));return}this.row=n,this.
rows=s,this.order=s.apply(this.state);let o=await this.data.document(n);if(!this.box.isConnected)return;await this.tell(t);let a=Number(m().get("step")??""),h=i(
"div",{});this.box.replaceChildren(h);let l=globalThis.NavVizPlayer;this.player=await l.mount(h,o,{deepLink:!1,height:"fill",episodes:!this.bare,start:"cause",...a?
{step:a}:{},onStep:c=>this.remember(c),onAction:(c,p,d)=>this.act(c,d),runIndex:this.bare?void 0:()=>this.index(),loadPlotly:()=>b("assets/plotly.js")}),this.step=
this.player.step}async index(){let t=await this.data.rows();return t.column("episode").map((e,s)=>[String(e),String(t.cell("instruction",s)??"")])}act(t,e){t===
"open"&&e&&q(this.link({episode:e}));let s=this.beside(t==="next"?1:-1);(t==="next"||t==="previous")&&s!==void 0&&q(this.link({episode:s}))}beside(t){let e=this.
order.indexOf(this.row),s=this.order[e<0?0:e+t];return s===void 0?void 0:String(this.rows?.cell("episode",s))}link(t){let e=this.bare?"1":void 0,s=m().get("as")??
void 0;return f({run:this.data.run.name,as:s,...T(this.state),embed:e,...t})}stepLink(){let t=String(this.rows?.cell("episode",this.row));return f({run:this.data.
run.name,episode:t,step:this.step||void 0})}remember(t){this.step=t,clearTimeout(this.waiting);let e=String(this.rows?.cell("episode",this.row)),s=()=>{this.written=
performance.now(),this.box.isConnected&&S(this.link({episode:e,step:t}))};performance.now()-this.written>Q?s():this.waiting=setTimeout(s,Q)}async tell(t){let e=this.
order.indexOf(this.row),s=e<0?"":`${e+1} of ${this.order.length}`,n=[];for(let o of this.others){if(await o.row(t)===void 0)continue;let a=f({run:o.run.name,episode:t});
n.push(i("a",{href:a,text:`in ${o.run.name}`,title:"The same episode in this run"}))}this.bar.replaceChildren(i("a",{href:this.link({}),text:"← List"}),this.arrow(
"‹","Previous episode (p)",-1),i("b",{text:t,title:s}),i("span",{class:"ns-quiet",text:s}),this.arrow("›","Next episode (n)",1),...n,i("span",{class:"ns-spa\
ce"}),this.copier("Copy link","Address of this step",()=>W(this.stepLink())),this.copier("Embed","Snippet of HTML for your own page",()=>this.snippet()))}arrow(t,e,s){
let n=this.beside(s),o=this.order.indexOf(this.row);return n===void 0||o+s<0?i("span",{class:"ns-arrow","aria-hidden":"true",text:t}):i("a",{class:"ns-arrow",href:this.
link({episode:n}),title:e,"aria-label":e,text:t})}copier(t,e,s){return i("button",{type:"button",text:t,title:e,on:{click:()=>this.copy(s())}})}snippet(){let t=W(
`${this.stepLink()}&embed=1`),e=i("iframe",{src:t,title:`NavViz: ${this.data.run.name}`,width:"100%",height:640});return e.setAttribute("style","border:0"),e.setAttribute(
"loading","lazy"),e.outerHTML}async copy(t){let e=i("textarea",{readonly:!0,rows:3,"aria-label":"To copy"});e.value=t;let s=i("span",{class:"ns-quiet",text:""}),
n=i("button",{type:"button",text:"Close",on:{click:()=>o.remove()}}),o=i("div",{class:"ns-copy"},e,s,n);this.root.querySelector(".ns-copy")?.remove(),this.bar.after(
o),e.select();try{await navigator.clipboard.writeText(t),s.textContent="Copied."}catch{s.textContent="Press Ctrl+C to copy."}}destroy(){clearTimeout(this.waiting),
this.player?.destroy()}};var Mt=200;async function J(r,t,e){let{compare:s}=t;if(!s){let p=t.compare_fault||"There is only one run on this site.";r.replaceChildren(i("p",{text:p}));return}
let n=[...new Set(s.figures.map(({metric:p})=>p))],o=[...new Set(s.figures.map(({run:p})=>p))],a=i("tr",{},i("th",{text:"run"}),...n.map(p=>i("th",{text:p}))),h=o.
map(p=>{let d=n.map(g=>{let x=s.figures.find(X=>X.run===p&&X.metric===g);if(!x)return i("td",{text:"–"});let{text:k,span:xt,n:wt,difference:Z,p:V,test:bt}=x,vt=Z&&
i("small",{title:bt,text:`${Z}; p ${V.startsWith("<")?V:`= ${V}`}`});return i("td",{},i("b",{text:k}),i("small",{text:`${xt} · n = ${wt}`}),vt)}),u=p===s.baseline?
" (baseline)":"";return i("tr",{},i("th",{text:p+u,scope:"row"}),...d)}),l=i("div",{class:"ns-wide"},i("table",{class:"ns-table"},i("thead",{},a),i("tbody",{},...h))),
c=i("div",{});r.replaceChildren(l,i("p",{class:"ns-quiet",text:s.note}),c),c.replaceChildren(...await $t(e))}async function $t(r){let[t,...e]=r,n=(await t.rows()).
column("episode").map(String),o=new Map,a=await Promise.all(r.map(Ct));for(let c of n){let p=a.map(u=>u.get(c));if(p.some(u=>u===void 0||u==="unknown"))continue;
let d=p.map(u=>u==="success"?"✓":"✗").join(" ");o.set(d,[...o.get(d)??[],c])}if(!e.length||!o.size)return[];let l=[...o].sort((c,p)=>p[1].length-c[1].length).
map(([c,p])=>{let d=p.slice(0,Mt).map(x=>i("a",{href:f({run:t.run.name,episode:x}),text:x})),u=r.map(({run:x},k)=>`${c.split(" ")[k]} ${x.name}`).join(" · "),g=i(
"summary",{},i("b",{text:p.length}),` ${u}`);return i("details",{class:"ns-pattern"},g,i("p",{},...d))});return[i("h2",{text:"Who succeeds where"}),...l]}async function Ct(r){
let t=await r.rows();return new Map(t.column("episode").map((e,s)=>[String(e),String(t.cell("outcome",s))]))}function tt(r,t,e){let s=[["Run",e.name],["Episodes",
`${e.episodes} (${e.summary})`],...e.about];t.source&&s.unshift(["Source",t.source]),t.authors&&s.unshift(["Authors",t.authors]);let n=t.without.length?`${t.without.
join(", ")} were left out of this site`:"";n&&s.push(["Left out",n]);let o=s.map(([c,p])=>i("tr",{},i("th",{scope:"row",text:c}),i("td",{text:p}))),a=e.files.map(
({role:c,name:p,sha256:d})=>i("tr",{},i("th",{scope:"row",text:c}),i("td",{},p,i("code",{text:d??"not hashed"})))),h=[...new Set(e.maps.map(({attribution:c})=>c).
filter(Boolean))],l=t.licence||"No licence was stated: ask the authors before you use the runs elsewhere.";r.replaceChildren(i("h2",{text:"Where the figures com\
e from"}),i("table",{class:"ns-facts"},i("tbody",{},...o)),...e.notes.map(c=>i("p",{class:"ns-quiet",text:c})),i("h2",{text:"Files, with their SHA-256"}),i("tab\
le",{class:"ns-facts"},i("tbody",{},...a)),i("h2",{text:"Licence"}),i("p",{text:l}),...h.map(c=>i("p",{text:`Maps: ${c}`})),i("h2",{text:"Cite"}),i("pre",{text:t.
bibtex}),i("p",{class:"ns-quiet",text:`Scores and causes were computed anew by ${t.made_with} from the files above.`}))}function Ot(r){return r.toLowerCase().replace(/\p{Nd}+/gu,t=>t.padStart(20,"0"))}var j=class{constructor(t){this.columns=t,this.count=Object.values(t)[0]?.length??
0,this.texts=void 0,this.sortKeys=new Map}column(t){return Object.hasOwn(this.columns,t)?this.columns[t]:[]}cell(t,e){return this.column(t)[e]??null}haystacks(){
if(!this.texts){let[t,e]=[this.column("episode"),this.column("instruction")];this.texts=t.map((s,n)=>`${e[n]??""} ${s}`.toLowerCase())}return this.texts}apply(t){
let e=Array.from({length:this.count},(n,o)=>o),s=t.search.toLowerCase().split(/\s+/).filter(Boolean);if(s.length){let n=this.haystacks();e=e.filter(o=>s.every(a=>n[o].
includes(a)))}for(let[n,o]of Object.entries(t.choices))o.length&&(e=this.chosen(e,n,new Set(o)));for(let[n,[o,a]]of Object.entries(t.ranges)){let h=this.column(
n);e=e.filter(l=>zt(h[l],o,a))}return t.sort?this.sorted(e,t.sort,t.descending):e}chosen(t,e,s){let n=this.column(e);return t.filter(o=>{let a=n[o];return Array.
isArray(a)?[...s].every(h=>a.includes(h)):a!=null&&s.has(String(a))})}sorted(t,e,s){let n=this.keys(e),o=t.filter(l=>(n[l]??null)!==null),a=t.filter(l=>(n[l]??null)===
null),h=s?-1:1;return o.sort((l,c)=>h*Tt(n[l],n[c])||l-c),[...o,...a]}keys(t){let e=this.sortKeys.get(t)??this.column(t).map(s=>typeof s=="string"?Ot(s):s);return this.
sortKeys.set(t,e),e}counts(t){let e=new Map;for(let s of this.column(t))for(let n of Array.isArray(s)?s:[s])n!=null&&e.set(String(n),(e.get(String(n))??0)+1);return e}span(t){
let[e,s]=[Number.POSITIVE_INFINITY,Number.NEGATIVE_INFINITY];for(let n of this.column(t))typeof n=="number"&&(e=Math.min(e,n),s=Math.max(s,n));return e<=s?{low:e,
high:s}:null}};function zt(r,t,e){return typeof r=="number"&&r>=t&&r<=e}function Tt(r,t){if(typeof r=="number"&&typeof t=="number")return r-t;let[e,s]=[String(r),
String(t)];return e===s?0:e<s?-1:1}var R=class{constructor(t,e){this.run=t,this.number=e,this.loading=void 0,this.thumbs=new Map,this.rowOf=void 0}rows(){return this.loading??=$(`list-${this.number}`).
then(t=>new j(t)),this.loading}async row(t){let e=await this.rows();return this.rowOf??=new Map(e.column("episode").map((s,n)=>[String(s),n])),this.rowOf.get(t)}async thumb(t){
let e=Math.floor(t/this.run.thumbs),s=this.thumbs.get(e)??$(`thumbs-${this.number}-${e}`);return this.thumbs.set(e,s),(await s)[t%this.run.thumbs]}async document(t){
let{chunk_of:e}=this.run,s=e[t],n=await D(`episodes-${this.number}-${s}`);return M(n[t-e.indexOf(s)])}};var Lt=/^'*[=+\-@\t\r\n]/,Et=/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,At=/[",\r\n]/;function et(r){if(r==null)return"";if(typeof r=="number")return String(r);let t=Array.
isArray(r)?r.join("; "):r,e=Lt.test(t)&&!Et.test(t)?`'${t}`:t;return At.test(e)?`"${e.replaceAll('"','""')}"`:e}function st(r,t,e){let s=[t.map(({name:n})=>et(n)).
join(",")];for(let n of e)s.push(t.map(({name:o})=>et(r.cell(o,n))).join(","));return`${s.join(`
`)}
`}function nt(r){return`${r.replace(/[^\p{L}\p{N}._-]+/gu,"-").replace(/^[-.]+|[-.]+$/g,"")||"episodes"}.csv`}function it(r,t){let e=URL.createObjectURL(new Blob(
[t],{type:"text/csv;charset=utf-8"})),s=document.createElement("a");s.href=e,s.download=r,s.click(),setTimeout(()=>URL.revokeObjectURL(e),6e4)}var rt=12,y=class{constructor(t,e,s){this.box=t,this.height=e,this.draw=s,this.lines=0,this.first=-1,this.last=-1,this.sheet=i("div",{class:"nl-sheet"}),t.append(
this.sheet),t.addEventListener("scroll",()=>this.fill()),this.sizes=new ResizeObserver(()=>this.fill()),this.sizes.observe(t)}show(t){this.lines=t,this.sheet.style.
height=`${t*this.height}px`,this.first=this.last=-1,this.fill()}redraw(){this.first=-1,this.fill()}fill(){let t=Math.max(0,this.box.scrollTop-this.sheet.offsetTop),
e=Math.max(0,Math.floor(t/this.height)-rt),s=Math.min(this.lines,Math.ceil((t+this.box.clientHeight)/this.height)+rt);if(e===this.first&&s===this.last)return;[this.
first,this.last]=[e,s];let n=[];for(let o=e;o<s;o+=1){let a=this.draw(o);a.style.top=`${o*this.height}px`,n.push(a)}this.sheet.replaceChildren(...n)}reveal(t){let e=t*
this.height,{scrollTop:s,clientHeight:n}=this.box,o=n-this.sheet.offsetTop;e<s?this.box.scrollTop=e:e+this.height>s+o&&(this.box.scrollTop=e+this.height-o)}destroy(){
this.sizes.disconnect(),this.sheet.remove()}};var ot=32,at={episode:96,outcome:96,instruction:380,cause:220,number:98,text:138,tags:180},jt="–";function O(r,{labels:t}){return t&&Object.hasOwn(t,r)?t[r]:r}
function Rt(r,t){return r==null||Array.isArray(r)&&!r.length?jt:Array.isArray(r)?r.map(e=>O(e,t)).join(", "):typeof r=="string"?O(r,t):typeof r=="number"&&t.digits!==
void 0?r.toFixed(t.digits):String(Math.round(r*1e4)/1e4)}var N=class{constructor(t,e,s,n){this.box=t,this.rows=e,this.columns=s,this.on=n,this.shown=[],this.at=
0;let o=s.map(({name:p,kind:d})=>at[p]??at[d]),a=s.map(({name:p},d)=>p==="instruction"?`minmax(${o[d]}px, 1fr)`:`${o[d]}px`),h=o.reduce((p,d)=>p+d,0),l={"--nl-c\
olumns":a.join(" "),"--nl-width":`${h}px`};this.head=i("div",{class:"nl-heads",role:"row"});let c=i("div",{class:"nl-rows",role:"table",tabindex:0,style:l},this.
head);t.replaceChildren(c),this.window=new y(c,ot,p=>this.line(p)),c.addEventListener("keydown",p=>this.onKey(p)),this.inner=c}show(t,e){this.shown=t,this.at=0,
this.head.replaceChildren(...this.columns.map(s=>this.headOf(s,e))),this.inner.setAttribute("aria-rowcount",String(t.length+1)),this.inner.scrollTop=0,this.window.
show(t.length)}headOf(t,e){let s=e.sort===t.name,n=e.descending?"descending":"ascending",o=e.descending?" ↓":" ↑",a={class:`nl-cell nl-${t.kind}`,role:"colu\
mnheader","aria-sort":s?n:"none"};if(t.kind==="tags")return i("span",{...a,title:t.help,text:t.label});let h={click:()=>this.on.sort(t)},l=i("button",{type:"but\
ton",title:t.help,on:h},t.label+(s?o:""));return i("span",a,l)}line(t){let e=this.shown[t],s=this.columns.map(a=>{let h=Rt(this.rows.cell(a.name,e),a),l={class:`\
nl-cell nl-${a.kind}`,role:"cell",title:h};return a.name!=="outcome"?i("span",{...l,dir:"auto",text:h}):i("span",l,i("span",{class:`nl-chip nl-${h}`,text:h}))}),
o={class:`nl-row${t===this.at?" nl-here":""}`,role:"row",href:this.on.href(e),tabindex:-1,data:{row:e}};return i("a",{...o,"aria-rowindex":t+2},...s)}destroy(){
this.window.destroy()}onKey(t){let e=Math.max(1,Math.floor(this.inner.clientHeight/ot)-2),s={ArrowDown:1,ArrowUp:-1,PageDown:e,PageUp:-e,Home:-this.shown.length,
End:this.shown.length};t.key==="Enter"&&t.target===this.inner&&this.shown.length?this.on.open(this.shown[this.at]):t.key in s&&!t.ctrlKey&&!t.metaKey&&!t.altKey&&
(t.preventDefault(),this.at=Math.max(0,Math.min(this.shown.length-1,this.at+s[t.key])),this.window.reveal(this.at),this.window.redraw())}};var Nt=60,P=class{constructor(t,e,s,n){this.rows=e,this.onChange=n,this.state=C(),this.all=s,this.columns=s.filter(d=>this.divides(d)),this.sorts=s.filter(({kind:d})=>d!==
"tags");let o={input:()=>this.set({search:this.search.value.trim()})},a={type:"search",placeholder:"Search instructions and ids","aria-label":"Search"};this.search=
i("input",{...a,on:o}),this.body=i("div",{class:"nl-filter-list"}),this.mark=i("span",{class:"nl-filter-mark"});let h=i("summary",{},"Filters",this.mark);this.fold=
i("details",{class:"nl-filters"},h,this.body),this.clear=i("button",{type:"button",class:"nl-clear",text:"Clear filters",on:{click:()=>this.reset()}}),this.chips=
i("span",{class:"nl-chips"});let l={change:()=>this.set({sort:this.by.value||null,descending:this.falls(this.by.value)})};this.by=i("select",{"aria-label":"Sort\
 by",on:l},i("option",{value:"",text:"File order"}));for(let{name:d,label:u}of this.sorts)this.by.append(i("option",{value:d,text:u}));let c={click:()=>this.set(
{descending:!this.state.descending})};this.direction=i("button",{type:"button",class:"nl-direction",on:c});let p=i("span",{class:"nl-order"},this.by,this.direction);
t.replaceChildren(this.search,this.fold,p,this.chips,this.clear),this.onPress=d=>this.closeFrom(d.target),document.addEventListener("pointerdown",this.onPress),
this.fold.addEventListener("keydown",d=>this.closeByKey(d))}destroy(){document.removeEventListener("pointerdown",this.onPress)}closeByKey(t){t.key!=="Escape"||!this.
fold.open||(t.stopPropagation(),this.fold.open=!1,this.fold.querySelector("summary")?.focus())}falls(t){return this.sorts.some(e=>e.name===t&&e.kind==="number")}closeFrom(t){
this.fold.open&&t instanceof Node&&!this.fold.contains(t)&&(this.fold.open=!1)}divides({name:t,filter:e}){if(e==="range"){let s=this.rows.span(t);return s!==null&&
s.low<s.high}return e!==void 0&&this.rows.counts(t).size>1}show(t){this.state=t,this.search.value.trim()!==t.search&&(this.search.value=t.search);let s=Object.values(
t.choices).filter(n=>n.length).length+Object.keys(t.ranges).length;this.mark.textContent=s?String(s):"",this.clear.hidden=!E(t),this.chips.replaceChildren(...this.
chipsOf(t)),this.by.value=t.sort??"",this.direction.textContent=t.descending?"↓":"↑",this.direction.title=t.descending?"Falling; press for rising":"Rising; \
press for falling",this.direction.setAttribute("aria-label",this.direction.title),this.direction.disabled=!t.sort,this.body.contains(document.activeElement)||this.
body.replaceChildren(...this.columns.map(n=>this.part(n)))}chipsOf(t){let e=[];for(let s of this.all){let{name:n,label:o}=s;for(let a of t.choices[n]??[]){let h=t.
choices[n].filter(c=>c!==a),l={...t.choices,[n]:h};e.push(this.chip(`${o}: ${O(a,s)}`,{choices:l}))}if(Object.hasOwn(t.ranges,n)){let{[n]:a,...h}=t.ranges;e.push(
this.chip(`${o}: ${a[0]} to ${a[1]}`,{ranges:h}))}}return e}chip(t,e){let s={click:()=>this.set(e)},n={type:"button",class:"nl-off",title:`Take this filter away\
: ${t}`};return i("button",{...n,on:s},i("span",{text:t})," ✕")}set(t){this.onChange({...this.state,...t})}reset(){this.search.value="",this.set({search:"",choices:{},
ranges:{}})}part(t){let e=t.filter==="range"?this.range(t):this.choice(t);return i("fieldset",{title:t.help},i("legend",{text:t.label}),...e)}choice(t){let{name:e}=t,
s=new Set(this.state.choices[e]??[]);return[...this.rows.counts(e)].sort((o,a)=>a[1]-o[1]).slice(0,Nt).map(([o,a])=>{let h=c=>{c.target.checked?s.add(o):s.delete(
o),this.set({choices:{...this.state.choices,[e]:[...s]}})},l=i("input",{type:"checkbox",checked:s.has(o),on:{change:h}});return i("label",{},l,i("span",{text:O(
o,t)}),i("small",{text:a}))})}range({name:t}){let e=this.rows.span(t)??{low:0,high:0},[s,n]=this.state.ranges[t]??[e.low,e.high],o=[Math.floor(e.low),Math.ceil(
e.high)],a=[s,n].map((l,c)=>i("input",{type:"number",step:"any",value:c?Math.ceil(l):Math.floor(l),"aria-label":c?"at most":"at least",on:{change:()=>h()}})),h=()=>{
let l=a.map((p,d)=>p.value===""?o[d]:Number(p.value)),c={...this.state.ranges};l[0]<=o[0]&&l[1]>=o[1]?delete c[t]:c[t]=[Math.min(...l),Math.max(...l)],this.set(
{ranges:c})};return[i("div",{class:"nl-limits"},a[0],i("span",{text:"to"}),a[1])]}};var K=148;function lt(r){let t=[];for(let e=0;e<r.length;e+=2)t.push(`${r[e]},${r[e+1]}`);return t.join(" ")}function Pt(r,t,e){let{r:s,a:n,l:o,g:a}=r,h=[];a&&h.
push(w("image",{class:"ground",href:a,width:96,height:96})),s.length&&(h.push(w("polyline",{class:"ref",points:lt(s)})),h.push(w("circle",{class:"goal",cx:s[s.length-
2],cy:s[s.length-1],r:4.5})));for(let[c,p]of o??[[null,n]]){let d=w("polyline",{class:"agent",points:lt(p)});typeof c=="string"&&(d.style.stroke=c),h.push(d)}if(n.
length){let[c,p]=n.slice(-2);h.push(w("circle",{class:"start",cx:n[0],cy:n[1],r:3})),t==="failure"?h.push(w("path",{class:"cross",d:`M${c-3},${p-3}l6,6m0,-6l-6,\
6`})):h.push(w("circle",{class:"stop",cx:c,cy:p,r:2.6}))}let l=w("svg",{class:"nl-thumb",viewBox:"0 0 96 96",role:"img","aria-label":e},...h);return l.dataset.outcome=
t,l}var F=class{constructor(t,e,s){this.thumbOf=e,this.cardOf=s,this.shown=[],this.across=1,this.inner=i("div",{class:"nl-gallery",tabindex:0,role:"list"}),t.replaceChildren(
this.inner),this.window=new y(this.inner,K,n=>this.line(n)),this.sizes=new ResizeObserver(()=>this.fit()),this.sizes.observe(this.inner)}show(t){this.shown=t,this.
inner.scrollTop=0,this.across=Math.max(1,Math.floor(this.inner.clientWidth/K)),this.window.show(Math.ceil(t.length/this.across))}fit(){let t=Math.max(1,Math.floor(
this.inner.clientWidth/K));t!==this.across&&(this.across=t,this.window.show(Math.ceil(this.shown.length/t)))}destroy(){this.sizes.disconnect(),this.window.destroy()}line(t){
let e=this.shown.slice(t*this.across,(t+1)*this.across);return i("div",{class:"nl-cards"},...e.map(s=>this.card(s)))}card(t){let{title:e,caption:s,outcome:n,href:o}=this.
cardOf(t),a=i("span",{class:"nl-picture"});return this.thumbOf(t).then(h=>a.replaceChildren(Pt(h,n,e))),i("a",{class:"nl-card",role:"listitem",href:o,title:e,data:{
row:t}},a,i("span",{text:s}))}};var I=class{constructor(t,e,s,n){this.rows=e,this.columns=s,this.host=n,this.state=C(),this.shown=[],this.only=null,this.view="",this.before=i("div",{class:"nl-\
before"}),this.after=i("div",{class:"nl-after"});let o=i("div",{class:"nl-asked"});this.count=i("span",{class:"nl-count","aria-live":"polite"});let a={click:()=>it(
nt(n.run()),st(e,s,this.shown))},h="Download these episodes as CSV, in this order";this.csv=i("button",{type:"button",class:"nl-csv",title:h,text:"CSV",on:a}),this.
none=i("p",{class:"nl-none",text:"No episode passes these filters; clear one of them."}),this.box=i("div",{class:"nl-box"}),this.filters=new P(o,e,s,l=>n.change(
l)),t.replaceChildren(i("div",{class:"nl-bar"},this.before,o,this.count,this.csv,this.after),this.none,this.box)}turn(t){this.view=t,this.table?.destroy(),this.
gallery?.destroy(),this.table=this.gallery=void 0,this.box.replaceChildren(),t==="table"?this.table=new N(this.box,this.rows,this.columns,{open:e=>this.host.open(
e),sort:e=>this.host.change(Y(this.state,e)),href:e=>this.host.href(e)}):t==="gallery"&&(this.gallery=new F(this.box,this.host.thumbOf,e=>this.card(e)))}show(t){
this.state=t;let{rows:e,only:s}=this;this.shown=e.apply(t),s&&(this.shown=this.shown.filter(c=>s.has(c)));let{shown:n}=this,o=e.column("outcome"),a=n.filter(c=>o[c]===
"success").length,l=n.some(c=>o[c]!=="unknown")?` · ${a} succeeded`:"";this.count.textContent=`${n.length} of ${e.count} episodes${l}`,this.csv.disabled=n.length===
0,this.none.hidden=n.length>0,this.filters.show(t),this.table?.show(n,t),this.gallery?.show(n)}get scroller(){return this.table?.inner??this.gallery?.inner}spot(){
let{scrollTop:t=0,scrollLeft:e=0}=this.scroller??{},s=this.scroller?.contains(document.activeElement)??!1;return{top:t,left:e,at:this.table?.at??0,isOpen:this.filters.
fold.open,hasFocus:s}}resume({top:t,left:e,at:s,isOpen:n,hasFocus:o}){let{scroller:a,table:h,shown:l}=this;this.filters.fold.open=n,h&&(h.at=Math.max(0,Math.min(
s,l.length-1))),a&&(o&&a.focus({preventScroll:!0}),a.scrollTop=t,a.scrollLeft=e,h?.window.redraw())}card(t){let e=String(this.rows.cell("episode",t)),s=String(this.
rows.cell("outcome",t)),n=this.rows.cell("NE",t),o=typeof n=="number"?`${e} · ${n.toFixed(0)} m`:e;return{title:`${e}: ${s}. ${this.rows.cell("instruction",t)??
""}`,caption:o,outcome:s,href:this.host.href(t)}}destroy(){this.table?.destroy(),this.gallery?.destroy(),this.filters.destroy()}};var ht=["SR","OSR","SPL","NE","nDTW","SDTW","SR_rec","SPL_rec","NE_rec","ISR","CSR","RGS"];function dt(r){let t=r.figures.filter(({metric:o})=>ht.includes(o)),e=r.
figures.filter(({metric:o})=>!ht.includes(o)),s=i("dl",{class:"ns-figures"},...t.map(ct));if(!e.length)return[s];let n=i("details",{class:"ns-more"},i("summary",
{text:`${e.length} more figures`}));return n.append(i("dl",{class:"ns-figures"},...e.map(ct))),[s,n]}function ct({metric:r,title:t,text:e,span:s,n}){let o=`${t}\
; 95 % interval ${s||"unknown"}, over ${n} episodes`,a=[s,`n = ${n}`].filter(Boolean).join(" · ");return i("div",{title:o},i("dt",{text:r}),i("dd",{text:e}),i(
"small",{text:a}))}function pt(r){if(!r)return"";let t=s=>Math.round(100*s),e=r.low===void 0?"":` (${t(r.low)} to ${t(r.high??0)})`;return`${t(r.value)} %${e}`}
function ut(r,t,e){if(!r.failures||!r.causes.length)return i("p",{class:"ns-quiet",text:"No failure to explain."});let s=Math.max(1,...r.causes.map(({likely:a})=>a)),
n=i("div",{class:"ns-cause ns-heads"},i("span",{text:`Likely cause of ${r.failures} failures`}),i("span",{}),i("span",{}),i("span",{text:"has it, of failures"}),
i("span",{text:"of successes"})),o=r.causes.map(({id:a,name:h,hint:l,likely:c,failed:p,succeeded:d})=>{let u=i("i",{style:{width:`${100*c/s}%`}}),g={click:()=>e(
a)},x=String(t.includes(a));return i("button",{type:"button",class:`ns-cause${d?"":" ns-none"}`,disabled:!c,"aria-pressed":x,on:g},i("span",{class:"ns-name",title:h},
h,l&&i("small",{text:"hint"})),i("span",{class:"ns-track"},u),i("b",{text:c}),i("span",{text:pt(p)}),i("span",{text:pt(d)}))});return i("div",{class:"ns-causes"},
n,...o)}function ft(r){r.eachLayer(e=>{let s=e;s._redrawRequest&&(L.Util.cancelAnimFrame(s._redrawRequest),s._redrawRequest=null)});let t=r;clearTimeout(t.scrollWheelZoom?.
_timer),t._animatingZoom=!1,t.panBy=()=>r,r.remove()}var mt="episode: ",_=class{constructor(t,e,s,n){this.data=e,this.href=s,this.onChoose=n,this.passing=null,this.turn=0;let{maps:o}=e.run,a=o.map(({name:l,walks:c},p)=>i(
"option",{value:p,text:`${l} (${c})`})),h={change:()=>this.draw(Number(this.picker.value))};this.picker=i("select",{"aria-label":"Map",hidden:o.length<2,on:h},...a),
this.told=i("span",{class:"ns-quiet",text:"Click a path, a disc or a junction."}),this.ground=i("div",{class:"ns-map"}),t.replaceChildren(i("div",{class:"ns-map\
-bar"},this.picker,this.told),this.ground),o.length?this.draw(0):this.told.textContent="This run has no walk on a map."}async draw(t){let e=++this.turn;v("asset\
s/leaflet.css"),v("assets/atlas.css"),await b("assets/leaflet.js"),await b("assets/atlas.js");let s=await $(`map-${this.data.number}-${t}`),n=await Promise.all(
s.walks.map(({id:a})=>this.data.row(a)));if(e!==this.turn||!this.ground.isConnected)return;let o=this.data.run.maps[t];this.leaflet&&ft(this.leaflet),this.leaflet=
Ft(this.ground,o),s.theme="auto",s.chosen=a=>this.tell(s,n,a),this.atlas=globalThis.NavVizAtlas.draw(this.leaflet,s),this.rows=n,this.limit(),this.ground.dataset.
ready="true"}show(t){this.passing=t,this.limit()}limit(){let{passing:t,rows:e}=this;if(!this.atlas||!e?.length)return;let s=e.flatMap((n,o)=>n!==void 0&&(!t||t.
has(n))?[o]:[]);this.atlas.show(s)}tell(t,e,s){let o=new Set(e.filter((l,c)=>l!==void 0&&_t(t,c,s))),[a]=o;if(a===void 0)return;if(o.size===1){this.told.replaceChildren(
i("a",{href:this.href(a),text:"Replay this episode"}));return}let h={click:()=>this.onChoose(o)};this.told.replaceChildren(i("button",{type:"button",text:`Show \
these ${o.size} episodes`,on:h}))}};function Ft(r,{frame:t,corners:e,attribution:s}){let n=t==="geo",o=n?L.CRS.EPSG3857:L.CRS.Simple,a=L.map(r,{crs:o,preferCanvas:!0,
zoomSnap:.25,minZoom:n?1:-3,maxZoom:20});return e&&a.fitBounds(e,{padding:[12,12]}),s&&a.attributionControl.addAttribution(It(s)),a}function It(r){return i("spa\
n",{text:r}).innerHTML}function _t(r,t,e){let s=r.walks[t],{left:n,through:o}=r.marks;if(e.startsWith(mt))return decodeURIComponent(e.slice(mt.length))===s.id;let a=e.
startsWith(n)?s.d:s.v,h=new Set(e.slice(e.startsWith(n)?n.length:o.length).split(";"));return a.some(l=>h.has(r.names[l]))}var gt=["table","gallery","map"],B=class{constructor(t,e,s){this.data=e,this.rows=s;let{run:n}=e,o=m();this.state=z(o,n.columns),this.view=gt.includes(o.get("as")??
"")?String(o.get("as")):"table",this.only=null,this.causes=i("section",{"aria-label":"Why it failed"}),this.tools=i("div",{class:"ns-views",role:"group","aria-l\
abel":"View"}),this.marks=i("span",{class:"ns-marks"});let a=i("div",{class:"ns-list"}),h=i("section",{"aria-label":"Figures"},...dt(n));t.replaceChildren(h,i("\
h2",{text:"Why it failed"}),this.causes,i("h2",{text:"Episodes"}),a),this.list=new I(a,s,n.columns,{change:l=>this.take(l),open:l=>location.assign(this.href(l)),
href:l=>this.href(l),thumbOf:l=>e.thumb(l),run:()=>n.name}),this.list.before.append(this.tools),this.list.after.append(this.marks),this.draw()}link(t={}){let e=this.
view==="table"?void 0:this.view;return f({run:this.data.run.name,as:e,...T(this.state),...t})}href(t){return this.link({episode:String(this.rows.cell("episode",
t))})}take(t){this.state=t,S(this.link()),this.show()}turn(t){this.view=t,S(this.link()),this.draw()}draw(){let{data:t,list:e}=this,s=gt.map(n=>{let o=n[0].toUpperCase()+
n.slice(1),a=String(n===this.view);return i("button",{type:"button","aria-pressed":a,text:o,on:{click:()=>this.turn(n)}})});this.tools.replaceChildren(...s),e.turn(
this.view),this.map=void 0,this.view==="map"&&(this.map=new _(e.box,t,n=>this.href(n),n=>this.choose(n))),this.show()}show(){let{run:t}=this.data,{list:e,only:s}=this;
e.only=this.view==="map"?null:s,e.show(this.state),this.causes.replaceChildren(ut(t,this.state.choices.cause??[],a=>this.byCause(a))),this.map?.show(E(this.state)?
new Set(e.shown):null);let n=s&&`${s.size} from the map ✕`,o={click:()=>this.choose(null)};this.marks.replaceChildren(...n?[i("button",{type:"button",text:n,title:"\
Show all again",on:o})]:[])}byCause(t){let e=(this.state.choices.cause??[]).includes(t);this.take({...this.state,choices:{...this.state.choices,cause:e?[]:[t]}})}choose(t){
this.only=t,t?this.turn("table"):this.show()}};var G=class{constructor(t,e){this.site=e,this.runs=e.runs.map((s,n)=>new R(s,n)),this.head=i("header",{class:"ns-head"}),this.body=i("div",{class:"ns-body"}),t.
replaceChildren(this.head,this.body),this.root=t,this.page=void 0,this.turn=0,addEventListener("hashchange",()=>this.show())}get current(){let t=m().get("run");
return this.runs.find(({run:e})=>e.name===t)??this.runs[0]}async show(){let t=++this.turn,e=m(),s=this.current;this.page?.destroy(),this.page=void 0;let n=e.has(
"episode")?"episode":e.get("view")??"run";this.tell(n,s),this.root.dataset.view=n,delete this.root.dataset.ready;try{await this.draw(n,s,e.get("episode")??"",t)}catch(o){
t===this.turn&&this.body.replaceChildren(i("p",{class:"ns-fault",text:String(o)}))}t===this.turn&&(this.root.dataset.ready="true")}async draw(t,e,s,n){let o=i("\
div",{class:`ns-page ns-${t==="episode"?"wide-page":"text-page"}`});if(t==="episode"){this.body.replaceChildren(o);let a=this.runs.filter(h=>h!==e);this.page=new A(
o,e,a),await this.page.open(s)}else if(t==="compare")this.body.replaceChildren(o),await J(o,this.site,this.runs);else if(t==="about")this.body.replaceChildren(o),
tt(o,this.site,e.run);else{let a=await e.rows();if(n!==this.turn)return;this.body.replaceChildren(o),new B(o,e,a)}}tell(t,e){let{name:s}=e.run,n=m().has("embed");
document.body.classList.toggle("ns-embedded",n),this.head.hidden=n;let a=[["run","Run",f({run:s})],...this.runs.length>1?[["compare","Compare",f({view:"compare",
run:s})]]:[],["about","About",f({view:"about",run:s})]].map(([g,x,k])=>i("a",{href:k,text:x,"aria-current":g===t?"page":void 0})),h=this.runs.map(({run:g})=>i("\
option",{value:g.name,selected:g.name===s,text:g.name})),c=i("select",{"aria-label":"Run",on:{change:()=>this.pick(c.value)}},...h),p=i("h1",{},i("a",{href:f({run:s}),
text:this.site.title})),d=this.runs.length>1?c:i("span",{class:"ns-quiet",text:this.walker(e)});this.head.replaceChildren(p,d,i("nav",{"aria-label":"Pages"},...a));
let u=m().get("episode");document.title=u?`${u} · ${this.site.title}`:this.site.title}walker({run:t}){return[t.navigator,t.model].filter(Boolean).join(" · ")}pick(t){
let e=m().get("view")??void 0;location.hash=f({run:t,view:e})}};function Bt(){let r=matchMedia("(prefers-color-scheme: dark)"),t=()=>{document.documentElement.dataset.
theme=r.matches?"dark":"light"};r.addEventListener("change",t),t()}async function Vt(){let r=document.getElementById("site"),[t]=globalThis.navvizSite??[];t!==void 0&&
await new G(r,await M(t)).show()}Bt();var Wt=globalThis.navviz_chunk;globalThis.navviz_chunk=(r,t)=>{Wt(r,t),r==="site"&&(globalThis.navvizSite=t,Vt())};})();
