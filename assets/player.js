/* Built from assets/player/src by `npm run build`; do not edit. */
"use strict";(()=>{var Ki=Object.defineProperty;var Xi=(s,t)=>{for(var e in t)Ki(s,e,{get:t[e],enumerable:!0})};var Zi=new Set(["class","text","on","data","style"]);function l(s,t={},...e){let n=document.createElement(s);t.class&&(n.className=t.class),t.text!==void 0&&t.text!==
null&&(n.textContent=String(t.text));for(let[o,i]of Object.entries(t.on??{}))n.addEventListener(o,i);for(let[o,i]of Object.entries(t.data??{}))n.dataset[o]=String(
i);for(let[o,i]of Object.entries(t.style??{}))n.style.setProperty(o,i);for(let[o,i]of Object.entries(t))Zi.has(o)||i===void 0||i===null||i===!1||n.setAttribute(
o,i===!0?"":String(i));for(let o of e.flat())o!=null&&o!==!1&&n.append(o);return n}var Yi="http://www.w3.org/2000/svg";function y(s,t={},...e){let n=document.createElementNS(
Yi,s);for(let[o,i]of Object.entries(t))n.setAttribute(o,String(i));return n.append(...e),n}var k=s=>s.preventDefault();function Rt(s,t,e,n,o){let i=l("details",
s,t,e);return i.open=n,t.addEventListener("click",()=>o(!i.open)),i}var Ji={first:"M6 5v14M19 5 9 12l10 7z",previous:"M17 5 7 12l10 7z",play:"M7 4l13 8-13 8z",pause:"\
M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",next:"M7 5l10 7-10 7z",last:"M18 5v14M5 5l10 7-10 7z",keys:"M12 17h.01M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.1",present:"\
M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",search:"M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",copy:"M9 9h11v11H9zM5 15H4V4h11v1",closer:"M12 5\
v14M5 12h14",farther:"M5 12h14",whole:"M4 9V5a1 1 0 0 1 1-1h4M20 9V5a1 1 0 0 0-1-1h-4M4 15v4a1 1 0 0 0 1 1h4M20 15v4a1 1 0 0 1-1 1h-4",close:"M12 3v3M12 18v3M3 \
12h3M18 12h3M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",tiles:"M9 4 3.5 6.5v13L9 17l6 3 5.5-2.5v-13L15 7 9 4zM9 4v13M15 7v13",layers:"M12 4 3 9l9 5 9-5zM4 13l8 4.5L20 1\
3",plan:"M4 4h16v16H4zM4 11h7V4M11 20v-5h9",both:"M3 5h18v14H3zM12 5v14",scene:"M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5"},Qi=new Set(["fi\
rst","previous","play","pause","next","last"]);function Bt(s){let t=Qi.has(s)?"nv-icon nv-filled":"nv-icon";return y("svg",{viewBox:"0 0 24 24",class:t,"aria-hi\
dden":"true"},y("path",{d:Ji[s]}))}function _(s,t,e,n={}){return l("button",{...{type:"button",class:"nv-button",title:t,"aria-label":t,data:n},on:{mousedown:k,
click:e}},Bt(s))}function nt(s){let t=s.target instanceof Element?s.target.closest("[data-ref]"):null;return t instanceof HTMLElement||t instanceof SVGElement?t.
dataset.ref??null:null}function C(s,t=0){return s==null?"–":s.toLocaleString("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})}function ot(s){return s==null?"–":`$${C(s,s<
.1?4:2)}`}function zt(s){if(s==null)return"–";if(s<90)return`${C(s,1)} s`;let t=Math.round(s);return`${Math.floor(t/60)} min ${t%60} s`}function M(s,t=1){return s==
null?"–":`${C(s,t)} m`}var tt=s=>String(Math.round(s*1e3)/1e3),W=(s,t,e)=>`${C(s)} ${s===1?t:e}`,jt=s=>s.length>12?`${s.slice(0,6)}…`:s;var Ks=(s,t)=>Math.atan2(t[0]-s[0],t[1]-s[1])*180/Math.PI,Wt=s=>((s+180)%360+360)%360-180;function ds(s,t,e){let n=t*Math.PI/180;return[s[0]+e*Math.sin(n),s[1]+
e*Math.cos(n)]}var Xs=s=>Math.floor(((s%360+360)%360+22.5)/45)%8;var ps=4,V=s=>`stage-${s%ps+1}`;function Ht(s,t){return s.findIndex(({first:e,last:n})=>e!==void 0&&n!==void 0&&t>=e&&t<=n)}function Zs(s,t,e,n){let o=[0,...s.flatMap(
({first:i})=>i===void 0?[]:[i]),e];return n>0?o.find(i=>i>t):o.findLast(i=>i<t)}var Dt=class{constructor(t,e){this.line=t,this.bands=l("div",{class:"nv-bands"}),
this.second=l("div",{class:"nv-second"}),e.before(this.bands),e.after(this.second),this.bandNodes=[]}get doc(){return this.line.doc}build(){let{stages:t,episode:e}=this.
doc,n=t.filter(({first:o})=>o!==void 0);this.bands.hidden=n.length===0,this.second.hidden=e.step_tasks.length===0,this.bandNodes=t.map((o,i)=>this.band(o,i)),this.
bands.replaceChildren(...this.bandNodes,...t.flatMap((o,i)=>this.marks(o,i))),this.second.replaceChildren(...e.step_tasks.map(o=>this.stepTask(o)))}place(t,e){let n=this.
line.left(t);return{left:`${n}%`,width:`${this.line.left(e+1)-n}%`}}band({first:t,last:e,status:n},o){if(t===void 0||e===void 0)return l("div",{class:"nv-band",
style:{display:"none"}});let i=this.doc.episode.tasks[o],r=i?.target??i?.description??"",a={...this.place(t,e),"--nv-stage":`var(--nv-${V(o)})`},h={click:()=>this.
line.player.toStage(o)},c=`Part ${o+1}: ${i?.description??""} · ${n}`;return l("div",{class:"nv-band",data:{stage:o+1},title:c,style:a,on:h},l("span",{text:`${o+
1}  ${r}`}))}marks({state:t,status:e,stops:n,last:o,oracle:i},r){let a=[];if(i!==void 0){let h=`Step ${i}: first within reach of target ${r+1}`;a.push(l("div",{
class:"nv-oracle",title:h,style:{left:`${this.line.middle(i)}%`}}))}if(n&&o!==void 0){let h=t==="reached",c=`nv-flagpole ${h?"nv-good":"nv-missed"}`,d=`Step ${o}\
: stops for target ${r+1}: ${e}`,p={flag:h?"good":"bad",step:o};a.push(l("div",{class:c,title:d,data:p,style:{left:`${this.line.middle(o)}%`}}))}return a}stepTask({
first:t,last:e,instruction:n,segments:o}){let i=o.map(([h,c,d])=>{let p=e+1-t,u={left:`${100*(h-t)/p}%`,width:`${100*(c+1-h)/p}%`},f=d==="move_forward"?"forward":
d==="zigzag"?"zigzag":d.includes("left")?"left":"right";return l("div",{class:"nv-stretch-part",data:{part:f},title:`Steps ${h}–${c}: ${d}`,style:u})}),r=`Ste\
p task, steps ${t}–${e}: ${n}`,a={click:()=>this.line.player.jump(t)};return l("div",{class:"nv-steptask",title:r,style:this.place(t,e),on:a},i,l("span",{text:n}))}show(t){
this.doc.stages.forEach(({first:e,last:n},o)=>{let i=e!==void 0&&n!==void 0&&t>=e&&t<=n;this.bandNodes[o].classList.toggle("nv-now",i)})}};function D(s,t,{text:e="",title:n="",ref:o,pane:i="nv-signs",raise:r=0}={}){let a=l("div",{class:`nv-sign ${t}`,title:n,data:o?{ref:o}:{}},l("span",{text:e})),h=L.
divIcon({html:a,className:"nv-sign-icon",iconSize:[22,22]});return L.marker(s,{icon:h,pane:i,keyboard:!1,interactive:!1,zIndexOffset:r})}var Ft=class{constructor(){
let t=y("svg",{viewBox:"-16 -16 32 32"},y("circle",{r:13}),y("path",{d:"M0-9 6.5 8 0 4.6-6.5 8z"}));this.arrow=l("div",{class:"nv-agent"}),this.pointed=0,this.arrow.
append(t);let e=L.divIcon({html:this.arrow,className:"nv-agent-icon",iconSize:[30,30]});this.marker=L.marker([0,0],{icon:e,pane:"markerPane",interactive:!1,keyboard:!1,
zIndexOffset:900})}place(t,e,n,o){if(!e){this.marker.remove();return}this.marker.setLatLng(e).addTo(t),this.arrow.classList.toggle("nv-no-heading",n===void 0),this.
arrow.classList.toggle("nv-elsewhere",o),this.pointed+=Wt((n??0)-this.pointed),this.arrow.style.setProperty("--nv-heading",`${this.pointed}deg`)}remove(){this.marker.
remove()}};function Ys(s){let{episode:t}=s.doc,e=us(s,s.start,"nv-sign-start","Start",-200);t.tasks.length||us(s,s.goal,"nv-sign-goal","Goal",-100),t.tasks.forEach((o,i)=>{
let r=s.mainGoal(o);r!==void 0&&tr(s,r,i,o)});let n=s.doc.end?s.walked.at(-1):void 0;return{start:e,stop:us(s,n,"nv-sign-stop","Stop",0),stopNode:n}}function us(s,t,e,n,o){
let i=s.spotAt(t);return i&&s.here(t)?s.add(D(i,e,{ref:n,pane:"markerPane",raise:o}),"ends"):null}function tr(s,t,e,n){let o=s.spotAt(t);if(!o||!s.here(t))return;
let i=`Target ${e+1}: ${n.target??n.description}`,r=`nv-sign-target nv-sign-target-${e%ps+1}`;s.add(D(o,r,{text:String(e+1),title:i,pane:"markerPane",raise:-50}),
"ends").getElement()?.setAttribute("data-target",String(e+1))}function Js(s){let t=s.step<s.doc.steps.length;s.ends.stop?.getElement()?.classList.toggle("nv-lat\
er",t),s.ends.stop?.setZIndexOffset(t?-100:950),s.ends.start?.getElement()?.classList.toggle("nv-under",s.standing===s.start)}function Gt(s){let{episode:t,steps:e}=s.
doc,n=[[s.start,"Start","nv-tag-end"],[t.tasks.length?void 0:s.goal,"Goal","nv-tag-goal"]];for(let o of t.tasks)n.push([s.mainGoal(o),o.target??"Target","nv-tag\
-goal"]);return s.step===e.length&&n.push([s.ends.stopNode,"Stop","nv-tag-stop"]),n.flatMap(([o,i,r])=>{let a=s.spotAt(o),h=o===s.standing?20:13;return a&&s.here(
o)?[{spot:a,text:i,look:r,gap:h,weight:650,size:.93,must:!0}]:[]})}function Qs(s){let t=s.spotAt(s.standing);return s.seen().filter(e=>s.placeHere(e.at)).map(e=>{
let n=s.spot(e.at),o=t!==null&&n[1]<t[1];return{spot:n,text:e.name,look:"nv-tag-seen",gap:13,weight:700,size:13/14,left:o}})}function en(s){let t=er(s);t||sr(s);let e=t?[]:s.house.rooms.length?nr(s):ir(s);return rr(s),ar(s),lr(s),e}function er(s){let t=s.house.pictures.find(({floor:h})=>h===
s.floor);if(s.plan.dataset.picture=t?.source??"",!t)return!1;let[e,n,o,i]=t.box_m,r=[[n,e],[i,o]],a={pane:"tilePane",interactive:!1,className:"nv-floor-picture"};
return s.add(L.imageOverlay(t.url,r,a),"ground"),!0}function sr(s){let{color:t}=s.api;for(let{floor:e,outline_m:n}of s.house.outlines){if(e!==s.floor)continue;let o=n.
map(([r,a])=>[a,r]),i={color:t("mute"),weight:1,opacity:.6,dashArray:"2 3",fillColor:t("paper"),fillOpacity:.8};s.add(L.polygon(o,s.on("ground",i)),"ground")}}function nr(s){
let{color:t}=s.api,e=[],n=s.house.rooms.filter(o=>o.floor===s.floor);for(let o of n){let i=s.on("ground",{color:t("mute"),weight:1.5,fillColor:t("paper"),fillOpacity:1,
lineJoin:"miter"});e.push({layer:s.add(L.polygon(or(o).map(([r,a])=>[a,r]),i),"ground"),width_m:.1,least:1.5})}for(let{at_m:[o,i]}of s.house.doors.filter(r=>r.floor===
s.floor)){let r=n.some(({box_m:[d,,p]})=>Math.abs(d-o)<.01||Math.abs(p-o)<.01),[a,h]=r?[0,.45]:[.45,0],c=s.on("ground",{color:t("paper"),lineCap:"butt"});e.push(
{layer:s.add(L.polyline([[i-h,o-a],[i+h,o+a]],c),"ground"),width_m:.16,least:3})}return e}function or({outline_m:s,box_m:[t,e,n,o]}){return s??[[t,e],[n,e],[n,o],
[t,o]]}function ir(s){let{links:t}=s.doc,e=[];for(let r=0;r<t.length;r+=2)s.here(t[r])&&s.here(t[r+1])&&e.push(s.way([t[r],t[r+1]]));let n=s.api.color("street"),
o=s.on("ground",{stroke:!1,fillColor:n,fillOpacity:1});for(let r of sn(s))s.add(L.circle(s.spotOf(r),{...o,radius:1.7/2}),"ground");return e.length?[{layer:s.add(
L.polyline(e,s.on("ground",{color:n,smoothFactor:0})),"ground"),width_m:1.7,least:4}]:[]}var sn=s=>s.doc.nodes.ids.map((t,e)=>e).filter(t=>s.here(t));function rr(s){
let{links:t}=s.doc,e=s.api.color("node"),n=[],o=[];for(let i=0;i<t.length;i+=2){let[r,a]=[t[i],t[i+1]];s.here(r)&&s.here(a)?n.push(s.way([r,a])):s.here(r)?o.push(
tn(s,r,a)):s.here(a)&&o.push(tn(s,a,r))}s.add(L.polyline(n,s.on("ground",{color:e,weight:1.1})),"ground"),s.ways=o}function tn(s,t,e){let{color:n}=s.api,[o,i]=[
s.metresOf(t),s.metresOf(e)],r=Math.hypot(i[0]-o[0],i[1]-o[1])||1,[a,h]=[(i[0]-o[0])/r,(i[1]-o[1])/r],c=[];for(let d=.28;d<r;d+=.28){let[p,u]=[o[0]+a*d,o[1]+h*d];
c.push([[u+a*.32,p-h*.32],[u-a*.32,p+h*.32]])}return s.add(L.polyline([s.line([t,e])],s.on("ground",{color:n("node"),weight:1.1,dashArray:"3 3"})),"ground"),s.add(
L.polyline(c,s.on("ground",{color:n("mute"),weight:1.4,lineCap:"butt"})),"ground"),{spot:s.spotOf(e),up:i[2]>o[2],floor:s.floorOf(e)??0}}function ar(s){let{color:t}=s.
api,e=s.on("ground",{radius:2.6,stroke:!1,fillColor:t("poi"),fillOpacity:1}),n=s.on("ground",{radius:3,color:t("poi"),weight:1.5,fillColor:t("ground"),fillOpacity:1});
for(let o of sn(s))s.add(L.circleMarker(s.spotOf(o),s.stairs.has(o)?n:e),"ground")}function lr(s){if(!s.layers.shows("pois"))return;let t=s.on("ground",{radius:1.9,
stroke:!1,fillColor:s.api.color("mute"),fillOpacity:.7});for(let e of s.doc.pois)s.placeHere(e.at)&&s.add(L.circleMarker(s.spot(e.at),t),"ground")}var Ut=3;function nn(s){return!!s.observation?.format.startsWith("panorama")||s.panels.some(t=>t.kind==="directions")}function on(s,t,e){let{color:n}=s.api,o=s.
metresOf(t),i=Xs(e),r=(c,d)=>s.spot(ds(o,c,d)),a=Array.from({length:10},(c,d)=>r(i*45-22.5+5*d,Ut));s.add(L.polygon([s.spotOf(t),...a],s.on("walk",{stroke:!1,fillColor:n(
"seen"),fillOpacity:.2})),"step"),s.add(L.circle(s.spotOf(t),{...s.on("walk",{color:n("seen-ink"),weight:1,dashArray:"2 4",fill:!1}),radius:Ut}),"step");let h=Array.
from({length:8},(c,d)=>[r(d*45+22.5,.55*Ut),r(d*45+22.5,Ut)]);s.add(L.polyline(h,s.on("walk",{color:n("seen-ink"),weight:1,opacity:.5})),"step")}function rn(s,t,e){
let n=typeof t.node=="number"?s.metresOf(t.node):null;return(t.observation?.pois??[]).flatMap(o=>{let i=/^(left|right) ([\d.]+)/.exec(o.direction??"");if(i&&e!==
void 0&&n&&o.distance_m!==void 0){let r=e+(i[1]==="left"?-1:1)*Number(i[2]);return[{...o,at:[...ds(n,r,o.distance_m),n[2]]}]}return o.at&&!o.approximate?[{...o,
at:o.at}]:[]})}var hr=14,cr=22;function an(s){let t=s.spotAt(s.standing),e=s.floorOf(s.standing);if(!t||e===null||e===s.floor)return[];let n=`agent: ${s.house.floors[e].name}`;
return[{spot:t,text:n,look:"nv-tag-stop",gap:14,weight:650,must:!0}]}function ln(s){return s.house.rooms.filter(t=>t.floor===s.floor&&t.name).map(({name:t,box_m:[
e,n,o,i]})=>({spot:[(n+i)/2,(e+o)/2],text:t,look:"nv-tag-room",weight:650,centred:!0,within:[[i,e],[n,o]]}))}function hn(s){let t=s.doc.steps[s.step-1];return!t||
s.scale<hr||!s.layers.shows("candidates")?[]:s.candidates(t).flatMap(e=>{let n=s.spotAt(e.node),o=fs(s,e);return n&&o&&s.here(e.node)?[{spot:n,text:o,look:`nv-t\
ag-${e.state}`,gap:10,weight:600}]:[]})}function cn(s){return s.ways.map(({spot:t,up:e,floor:n})=>({spot:t,text:`${e?"↑":"↓"} ${s.house.floors[n].name}`,look:"\
nv-tag-name",weight:600,gap:6}))}function*dn(s){if(!(s.scale<cr||!s.layers.shows("pois")))for(let t of s.doc.pois){if(!s.placeHere(t.at))continue;let e=dr(s,t.at);
yield{spot:s.spot(t.at),text:t.name,look:"nv-tag-name",gap:5,within:e}}}function dr(s,[t,e]){let n=s.house.rooms.find(({floor:h,box_m:[c,d,p,u]})=>h===s.floor&&
t>=c&&t<=p&&e>=d&&e<=u);if(!n)return;let[o,i,r,a]=n.box_m;return[[a,o],[i,r]]}function fs(s,t){let{angle_deg:e,distance_m:n}=t;return[e===void 0?null:Math.abs(e)<
.5?"ahead":`${e<0?"left":"right"} ${Math.abs(e).toFixed(0)}°`,n===void 0?null:M(n),typeof t.node=="number"&&!s.here(t.node)?"other floor":null].filter(Boolean).
join(", ")}var pr=2;function pn(s){return[s.episode.start,...s.steps.map(({node:e})=>e),s.end?.node].map(e=>un(s,e))}function un(s,t){return typeof t=="number"?s.nodes.at[3*
t+2]??null:null}function ur(s){if(s.frame!=="metric"||!s.free||(s.indoor?.floors.length??0)>1)return!1;let{low:t,high:e}=fn(pn(s));return e-t>=pr}function fn(s){
let t=s.filter(e=>e!==null);return{low:Math.min(...t),high:Math.max(...t)}}var qt=class{constructor(t,e){this.container=t,this.line=y("path",{class:"nv-heights-\
line"}),this.goal=y("path",{class:"nv-heights-goal"}),this.mark=l("i",{class:"nv-heights-mark"}),this.now=l("strong"),this.most=l("span",{class:"nv-heights-most"}),
this.least=l("span",{class:"nv-heights-least"});let n=y("svg",{viewBox:"0 0 1 1",preserveAspectRatio:"none","aria-hidden":"true"});n.append(this.goal,this.line);
let o=l("div",{class:"nv-heights-plot"},n,this.mark,this.most,this.least),i=l("div",{class:"nv-heights-now"},"Height",this.now);this.box=l("div",{class:"nv-heig\
hts",role:"img"},i,o),t.append(this.box),this.update(e)}update(t){if(this.doc=t,this.heights=pn(t),this.box.hidden=!ur(t),this.container.classList.toggle("nv-wi\
th-heights",!this.box.hidden),this.box.hidden)return;let e=un(t,t.episode.goal),{low:n,high:o}=fn([...this.heights,e]);this.low=n,this.rise=o-n,this.line.setAttribute(
"d",this.path()),this.goal.setAttribute("d",e===null?"":`M0 ${this.y(e)}H1`),this.most.textContent=M(o),this.least.textContent=M(n);let i=`Height along the step\
s, from ${M(n)} to ${M(o)}`;this.box.setAttribute("aria-label",e===null?i:`${i}; the goal at ${M(e)}`)}path(){let t="M";return(this.heights??[]).map((e,n)=>{if(e===
null)return t="M","";let o=`${t}${this.x(n)} ${this.y(e)}`;return t="L",o}).join("")}x(t){return t/Math.max(1,(this.heights?.length??2)-1)}y(t){return 1-(t-(this.
low??0))/(this.rise||1)}showStep(t){if(this.box.hidden)return;let e=this.heights?.[t]??null;this.now.textContent=M(e),this.mark.hidden=e===null,e!==null&&(this.
mark.style.left=`${100*this.x(t)}%`,this.mark.style.top=`${100*this.y(e)}%`)}};var fr=Math.PI/4,mr=1.04,[gr,yr]=[.2,6],Vt=(s,t)=>s[0]*t[0]+s[1]*t[1]+s[2]*t[2],mn=(s,t)=>[s[1]*t[2]-s[2]*t[1],s[2]*t[0]-s[0]*t[2],s[0]*t[1]-s[1]*t[0]],gn=s=>{let t=Math.
hypot(...s);return[s[0]/t,s[1]/t,s[2]/t]};function kn(s,t,e){let n=gn(t),o=gn(mn([0,0,1],n)),i=mn(n,o),r=Math.tan(fr/2)/mr,[a,h]=yn(s,o,n,r*e),[c,d]=yn(s,i,n,r),
p=Math.min(yr,Math.max(gr,h,d)),u=f=>[0,1,2].map(g=>o[g]*a+i[g]*c+n[g]*f);return{eye:u(p),center:u(0)}}function yn(s,t,e,n){let o=Math.max(...s.map(r=>Vt(r,e)+Vt(
r,t)/n)),i=Math.max(...s.map(r=>Vt(r,e)-Vt(r,t)/n));return[n*(o-i)/2,(o+i)/2]}function yt(s,t,e){let n=[];for(let o=t;o<e;o+=1){let{skill:i}=s[o],r=!!s[o].walk_back,a=n.at(-1);a&&a.skill===i&&a.back===r?a.to=o+1:n.push({skill:i,back:r,from:o,
to:o+1})}return n}var O=(s,t)=>t===void 0?void 0:s.skills?.[t]?.colour,wn=(s,t)=>s.skills?.find(e=>e.name===t)?.colour,Kt=s=>[...new Set(s.flatMap(t=>t.skill===
void 0?[]:[t.skill]))].sort((t,e)=>t-e),ms=(s,t)=>s.find(e=>e.sub_goal===t&&e.skill!==void 0)?.skill;var P={type:"scatter3d",hoverinfo:"skip",showlegend:!1},xn=.9,bn=36;function Xt(s){let{at:t,ids:e}=s.nodes;return n=>typeof n=="number"&&n<e.length?t.slice(3*n,
3*n+3):null}function H(s){let t=s.filter(e=>e!==null);return{x:t.map(e=>e[0]),y:t.map(e=>e[1]),z:t.map(e=>e[2])}}function gs(s){let t={x:[],y:[],z:[]};for(let e of s){
let{x:n,y:o,z:i}=H(e);t.x.push(...n,null),t.y.push(...o,null),t.z.push(...i,null)}return t}function vn(s,t){let e=Xt(s),n=s.reference.map(e),o=e(s.episode.goal)??
n.at(-1)??null,i=[e(s.episode.start),o],r=["Start","Goal"].filter((d,p)=>i[p]),a=[];for(let d=0;d<s.links.length;d+=2)a.push([e(s.links[d]),e(s.links[d+1])]);let h=[
"circle-open","diamond"].filter((d,p)=>i[p]),c=[t("ink"),t("reference")].filter((d,p)=>i[p]);return[...br(s,t),{...P,name:"links",mode:"lines",...gs(a),line:{color:t(
"node"),width:1.6}},{...P,name:"viewpoints",mode:"markers",...H(s.nodes.ids.map((d,p)=>e(p))),hoverinfo:"none",marker:{size:3.4,color:wr(s,t),line:{width:0}}},{
...P,name:"reference",mode:"lines",...H(n),line:{color:t("reference"),width:7,dash:"dash"}},...xr(o,s.episode.success_radius_m,t("reference")),{...P,name:"ends",
mode:"markers+text",...H(i),text:r,textposition:"top center",textfont:{color:t("ink"),size:13},marker:{size:6,symbol:h,color:c,line:{width:3,color:t("ink")}}},...vr(
s,t)]}function ys(s,t,e,n){let o=Xt(s),i=(d,p)=>s.steps.slice(d,p).flatMap(u=>u.path.length?u.path:[u.node]).map(o),r=s.steps[e-1],a=o(e===0?s.episode.start:r?.
node),h=e===0?s.episode.start_heading_deg:r?.heading_deg,c=i(0,e);return[{...P,name:"ahead",mode:"lines",...H([c.at(-1)??null,...i(e,s.steps.length)]),line:{color:t(
"agent"),width:2,dash:"dot"}},{...P,name:"walked",mode:"lines",...H(c),line:{color:ks(s,t,e),width:6}},{...P,name:"facing",mode:"lines",...H(kr(a,h)),line:{color:t(
"agent"),width:9}},{...P,name:"agent",mode:"markers",...H([a]),marker:{size:8,color:t("agent"),line:{width:2,color:t("paper")}}},{...P,name:"light",mode:"marker\
s",...H(n),marker:{size:11,color:t("lit"),opacity:.8}}]}function ks(s,t,e){if(!s.skills)return t("agent");let n=Xt(s);return s.steps.slice(0,e).flatMap(o=>(o.path.
length?o.path:[o.node]).filter(r=>n(r)!==null).map(()=>O(s,o.skill)??t("agent")))}function kr(s,t){if(!s||t===void 0)return[];let e=t*Math.PI/180;return[s,[s[0]+
xn*Math.sin(e),s[1]+xn*Math.cos(e),s[2]]]}function wr(s,t){let e=[t("mute"),t("poi"),t("landmark")];return(s.indoor?.floor_of??[]).map(n=>e[n%e.length])}function xr(s,t,e){
if(!s)return[];let[n,o,i]=s,r=h=>Array.from({length:bn+1},(c,d)=>{let p=2*Math.PI*d/bn;return h(t*Math.cos(p),t*Math.sin(p))}),a=[r((h,c)=>[n+h,o+c,i]),r((h,c)=>[
n+h,o,i+c]),r((h,c)=>[n,o+h,i+c])];return[{...P,name:"goal sphere",mode:"lines",...gs(a),opacity:.55,line:{color:e,width:2}}]}function br(s,t){let{rooms:e,floors:n}=s.
indoor??{rooms:[],floors:[]};if(!e.length)return[];let o={x:[],y:[],z:[],i:[],j:[],k:[]},i=[];for(let{box_m:[r,a,h,c],floor:d}of e){let p=o.x.length,u=n[d].level_m;
o.x.push(r,h,h,r),o.y.push(a,a,c,c),o.z.push(u,u,u,u),o.i.push(p,p),o.j.push(p+1,p+2),o.k.push(p+2,p+3),i.push([[r,a,u],[h,a,u],[h,c,u],[r,c,u],[r,a,u]])}return[
{type:"mesh3d",name:"rooms",...o,color:t("area-building"),opacity:.35,hoverinfo:"skip",showlegend:!1},{...P,name:"walls",mode:"lines",...gs(i),line:{color:t("mu\
te"),width:1.5}}]}function vr(s,t){return s.compare?[{...s.compare,tint:t("other")},...(s.further??[]).map(n=>({...n,tint:n.colour}))].map(({steps:n,tint:o})=>({
...P,name:"compared",mode:"lines",...H(n.flatMap(i=>i.path.length?i.path:[i.node]).map(Xt(s))),line:{color:o,width:5,dash:"longdashdot"}})):[]}var Sr=[-.22,-.78,.68],Mr=40,Sn=90,Tr=900,Lr=3e3,Mn={displayModeBar:!1,responsive:!1,scrollZoom:!0},it=class s{constructor(t,e,n,o){this.box=t,this.doc=e,this.api=
n,this.onPoint=o,this.step=0,this.ready=!1,this.gone=!1,this.shown=!0,this.busy=!1,this.stale=!1,this.asked=0,this.cost=0,this.lit=[],this.note=l("p",{class:"nv\
-nothing",text:"Loading the 3-D scene …"}),this.plot=l("div",{class:"nv-plot"}),t.append(this.plot,this.note)}static possible(t){return!!(globalThis.Plotly||t.
options.plotly||t.options.loadPlotly)}static loading=null;static async load({plotly:t,loadPlotly:e}){if(!globalThis.Plotly&&e&&await e(),!globalThis.Plotly&&t&&
(s.loading??=new Promise((n,o)=>{let i={load:()=>n(),error:()=>o(new Error("not reachable"))};document.head.append(l("script",{src:t,async:!0,on:i}))}),await s.
loading.catch(()=>{s.loading=null})),!globalThis.Plotly)throw new Error("plotly's script is not there");return globalThis.Plotly}async start(t){this.step=t;let{
options:e}=this.api,n=e.plotlyNote,o=n?setTimeout(()=>this.note.replaceChildren(n),Lr):0;try{this.plotly=await s.load(e)}catch{this.note.textContent="The 3-D sc\
ene is not there: plotly's script could not be loaded.";return}if(clearTimeout(o),!this.gone){if(this.stale=!1,await this.plotly.newPlot(this.plot,this.traces(),
this.layout(),Mn),this.gone){this.plotly.purge(this.plot);return}this.note.remove(),this.ready=!0,this.box.dataset.ready="true",this.plot.on("plotly_hover",i=>this.
onPoint(Ln(i))),this.plot.on("plotly_unhover",()=>this.onPoint(null)),this.plot.on("plotly_click",i=>{let r=Ln(i);r&&this.api.pick(r)}),this.resize(),this.stale&&
this.later()}}traces(){let t=vn(this.doc,this.api.color);return this.moving=t.length,[...t,...ys(this.doc,this.api.color,this.step,this.lit)]}layout(){let t={visible:!1,
showgrid:!1,zeroline:!1,showspikes:!1},e=this.api.color("ground"),n=this.edges(),[o,i,r]=n.map(E=>({...t,range:E})),a=n.map(([E,A])=>A-E),h=Math.max(...a),[c,d,
p]=a.map(E=>E/h),{clientWidth:u,clientHeight:f}=this.box,g=this.corners().map(E=>E.map((A,j)=>(A-(n[j][0]+n[j][1])/2)/h)),{eye:b,center:v}=kn(g,Sr,(u||1)/(f||1)),
S={x:0,y:0,z:1},T={eye:Tn(b),center:Tn(v),up:S,projection:{type:"perspective"}};return{margin:{l:0,r:0,t:0,b:0},paper_bgcolor:e,showlegend:!1,uirevision:"stay",
hovermode:"closest",width:u||300,height:f||300,scene:{aspectmode:"manual",aspectratio:{x:c,y:d,z:p},xaxis:o,yaxis:i,zaxis:r,uirevision:"stay",bgcolor:e,camera:T}}}corners(){
let{nodes:t,indoor:e}=this.doc,n=t.ids.map((o,i)=>t.at.slice(3*i,3*i+3));for(let{box_m:o,floor:i}of e?.rooms??[]){let r=e?.floors[i].level_m??0;for(let a of[o[0],
o[2]])for(let h of[o[1],o[3]])n.push([a,h,r])}return n.length?n:[[0,0,0]]}edges(){let t=this.corners();return[0,1,2].map(e=>[Math.min(...t.map(n=>n[e]))-.4,Math.
max(...t.map(n=>n[e]))+.4])}showStep(t){this.step=t,this.later()}highlight(t){this.lit=t,this.later()}later(){this.stale=!0,!(!this.ready||!this.shown)&&(this.asked=
performance.now(),!this.busy&&(this.busy=!0,this.follow()))}turn(t){this.shown=t,t&&this.stale&&this.later()}async follow(){for(;this.stale&&this.shown&&!this.gone&&
this.plotly;){await this.calm(),this.stale=!1;let t=performance.now();await this.draw(),this.cost=performance.now()-t}this.busy=!1}async calm(){await new Promise(
n=>requestAnimationFrame(()=>setTimeout(n,0)));let t=performance.now(),e=()=>performance.now()-this.asked>Sn;for(;this.cost>Mr&&!e()&&performance.now()-t<Tr;)await new Promise(
n=>setTimeout(n,Sn/3))}async draw(){let t=ys(this.doc,this.api.color,this.step,this.lit),e=o=>t.map(i=>i[o]),n=t.map((o,i)=>(this.moving??0)+i);await this.plotly?.
restyle(this.plot,{x:e("x"),y:e("y"),z:e("z")},n),await this.recolour(t.findIndex(o=>o.name==="walked")),await new Promise(o=>requestAnimationFrame(()=>setTimeout(
o,0)))}async recolour(t){if(!this.doc.skills||!this.plotly||this.gone)return;let e=ks(this.doc,this.api.color,this.step);await this.plotly.restyle(this.plot,{"l\
ine.color":[e]},[(this.moving??0)+t])}redraw(){if(!this.ready)return;let t=this.plot.layout.scene?.camera,e=this.layout();t&&Object.assign(e.scene,{camera:t}),this.
plotly?.react(this.plot,this.traces(),e,Mn)}update(t){this.doc=t,this.redraw()}resize(){let{clientWidth:t,clientHeight:e}=this.box;if(!this.ready||t<=20)return;
let{layout:n}=this.plot;(n.width!==t||n.height!==e)&&this.plotly?.relayout(this.plot,{width:t,height:e})}destroy(){this.gone=!0,this.ready&&this.plotly?.purge(this.
plot)}},Tn=([s,t,e])=>({x:s,y:t,z:e});function Ln({points:s}){let t=s?.[0];return t?.data?.name==="viewpoints"?`n:${t.pointNumber}`:null}function K(s,t){let e=s.frame==="geo"?2:3;return s.nodes.at.slice(t*e,t*e+e)}function kt(s,t){return{label:s.nodes.ids[t],nodes:[t],at:[K(s,t)]}}function Zt({causes:s}){
return s?.leading===void 0?void 0:s.all[s.leading]}var En={geo:22,metric:2.2},$n=111320,_n=6;function An(s,t){if(s.coneShape.remove(),!t)return;let e=s.api.color("lit"),n=s.on("walk",{color:e,weight:1.5,fillColor:e,
fillOpacity:.28}),o=Er(s.doc,t).map(i=>s.spot(i));s.coneShape=L.polygon(o,n).addTo(s.map)}function Er(s,{node:t,heading:e,field:n}){let o=K(s,t),i=[o];for(let r=0;r<=
_n;r++){let a=(e-n/2+n*r/_n)*Math.PI/180,[h,c]=[Math.sin(a)*En[s.frame],Math.cos(a)*En[s.frame]];if(s.frame==="geo"){let d=$n*Math.cos(o[0]*Math.PI/180);i.push(
[o[0]+c/$n,o[1]+h/d])}else i.push([o[0]+h,o[1]+c,o[2]])}return i}function On(s,t){s.groups.light.clearLayers();for(let e of s.box.querySelectorAll(".nv-sign.nv-lit"))e.classList.remove("nv-lit");for(let e of t){for(let n of s.
api.resolve(e,s.step).at)$r(s,s.spot(n),s.refHere(e,n));for(let n of s.box.querySelectorAll(`.nv-sign[data-ref="${CSS.escape(e)}"]`))n.classList.add("nv-lit")}}
function $r(s,t,e){let{color:n}=s.api,o={radius:15,color:n("lit"),weight:4,fillColor:n("lit"),fillOpacity:e?.25:.1,dashArray:e?void 0:"4 4"};if(s.add(L.circleMarker(
t,s.on("walk",o)),"light"),!e)return;let i={radius:5,color:n("ground"),weight:1.5,fillColor:n("lit"),fillOpacity:1};s.add(L.circleMarker(t,s.on("walk",i)),"ligh\
t")}var ws=(s,t)=>s[0]<t[2]&&s[2]>t[0]&&s[1]<t[3]&&s[3]>t[1],_r=(s,t)=>s[0]>=t[0]&&s[1]>=t[1]&&s[2]<=t[2]&&s[3]<=t[3];function Cn({at:[s,t],width:e,height:n,gap:o,within:i,
left:r,must:a},h,c){let d=n/2,p=[s+o,t-d,s+o+e,t+d],u=[s-o-e,t-d,s-o,t+d],f=[...r?[u,p]:[p,u],[s-e/2,t-o-n,s+e/2,t-o],[s-e/2,t+o,s+e/2,t+o+n]],g=f.filter(v=>_r(
v,i??c));return g.find(v=>!h.some(S=>ws(v,S)))??(a?g[0]??f[0]:null)}function Pn(s,t,[e,n,o,i],r,a=[]){let h=Math.min(8,(i-n)*.08);if(s>o-e-2*h||t>i-n-2*h)return null;
let c=[(e+o-s)/2,e+h,o-s-h],p=[n+h,i-t-h,(n+i-t)/2].flatMap(f=>c.map(g=>[g,f,g+s,f+t])).filter(f=>!a.some(g=>ws(f,g)));if(!p.length)return null;let u=p.map(f=>r.
filter(g=>ws(f,g)).length);return p[u.indexOf(Math.min(...u))]}function In(s,t){let e=[];for(let n=0;n+1<s.length;n+=1){let[o,i]=[s[n],s[n+1]],r=Math.min(60,Math.
max(1,Math.ceil(Math.hypot(i[0]-o[0],i[1]-o[1])/(2*t))));for(let a=0;a<=r;a+=1){let h=o[0]+(i[0]-o[0])*a/r,c=o[1]+(i[1]-o[1])*a/r;e.push([h-t,c-t,h+t,c+t])}}return e}var Ar=120,Nn=32,Or=90,Cr=12/14,Pr=12,Yt=class{constructor(t){this.view=t,this.group=L.layerGroup().addTo(t.map),this.shown={tags:new Map,names:new Map},this.tagged=
null,this.taken=[],this.said=[],this.words=[],this.waiting=void 0,this.type=null}forget(){this.type=null}tags(){let{view:t}=this;t.gone||!t.map.getSize().x||(this.
taken=[...this.furniture(),...this.signs(),...this.paths()],this.words=[],this.said=[],this.fill("tags",t.tags()),this.tagged=[this.taken.length,this.words.length,
this.said.length])}soon(){clearTimeout(this.waiting),this.waiting=setTimeout(()=>this.names(),Ar)}moved(){this.tagged=null,this.soon()}names(){let{view:t}=this;
t.gone||!t.map.getSize().x||(this.tagged?[this.taken.length,this.words.length,this.said.length]=this.tagged:this.tags(),this.fill("names",t.names(),t.nameRoom()))}fill(t,e,n=Number.
POSITIVE_INFINITY){let o=this.shown[t],i=new Map;this.shown[t]=i;for(let r of e){if(i.size>=n)break;let a=this.place(r);if(!a)continue;let h=JSON.stringify([r.spot,
r.look,a]);i.set(h,o.get(h)??this.marker(r,a).addTo(this.group)),o.delete(h)}for(let r of o.values())this.group.removeLayer(r)}place({spot:t,text:e,gap:n=8,weight:o=500,
size:i=Cr,left:r,must:a,centred:h,within:c}){let{map:d}=this.view,p=d.latLngToContainerPoint(t),u=d.getSize();if(this.said.some(([gt,Ot])=>gt===e&&Ot.distanceTo(
p)<Or))return null;let f=e.length>Nn?`${e.slice(0,Nn-2).trimEnd()}…`:e,[g,b]=this.measure(f,o,i),v=c?.map(gt=>d.latLngToContainerPoint(gt)),S=v?[v[0].x,v[0].y,
v[1].x,v[1].y]:void 0,T=[p.x,p.y],E=[2,2,u.x-2,u.y-2],j=S&&h?Pn(g,b,S,this.taken,this.words):Cn({at:T,width:g,height:b,gap:n,within:S,left:r,must:a},this.taken,
E);if(!j)return null;this.taken.push(j),this.words.push(j),this.said.push([e,p]);let as={left:`${j[0]-p.x}px`,top:`${j[1]-p.y}px`,width:`${g}px`,height:`${b}px`,
"font-size":`${b/1.3}px`,"font-weight":String(o)};return{words:f,style:as}}marker({spot:t,look:e},{words:n,style:o}){let i=l("div",{class:`nv-tag ${e}`,text:n,style:o}),
r=L.divIcon({html:i,className:"nv-tag-icon",iconSize:[0,0]});return L.marker(t,{pane:"nv-labels",interactive:!1,keyboard:!1,icon:r})}measure(t,e,n){this.type??=
this.readType();let o=Math.max(Pr,this.type.px*n);return this.type.pen.font=`${e} ${o}px ${this.type.face}`,[Math.ceil(this.type.pen.measureText(t).width)+4,o*1.3]}readType(){
let t=getComputedStyle(this.view.box),e=document.createElement("canvas").getContext("2d");if(!e)throw new Error("this browser has no canvas");return{pen:e,px:Number.
parseFloat(t.fontSize),face:t.fontFamily}}furniture(){let{view:t}=this,e=[t.tools,t.legend.box,t.credit,...t.plan.querySelectorAll(".nv-floors, .leaflet-control\
-scale")],n=[];for(let o of e){let i=t.boxOf(o);i&&n.push([i[0]-3,i[1]-3,i[2]+3,i[3]+3])}return n}signs(){let{view:t}=this,e=[],n=(i,r)=>{let a=t.map.latLngToContainerPoint(
i);e.push([a.x-r,a.y-r,a.x+r,a.y+r])};for(let i of[t.groups.ends,t.groups.step])i.eachLayer(r=>{r instanceof L.Marker&&n(r.getLatLng(),10)});let o=t.spotAt(t.standing);
return o&&n(o,15),e}paths(){let{view:t}=this;return[t.doc.reference,t.walked].map(n=>t.way(n.filter(o=>t.here(o)))).flatMap(n=>{let o=n.map(i=>t.map.latLngToContainerPoint(
i));return In(o.map(i=>[i.x,i.y]),5)})}keepFree(t){let{map:e}=this.view,n=e.getSize();for(let o of t){let{x:i,y:r}=e.latLngToContainerPoint(o);i>0&&r>0&&i<n.x&&
r<n.y&&this.taken.push([i-3,r-3,i+3,r+3])}}destroy(){clearTimeout(this.waiting)}};function Jt(s){try{return JSON.parse(localStorage.getItem(`navviz.${s}`)??"null")}catch{return null}}function wt(s,t){try{localStorage.setItem(`navviz.${s}`,JSON.
stringify(t))}catch{}}var Ir={reference:"Reference path",other:"Other run",candidates:"Candidates",seen:"Visible area",memory:"The agent's map",pois:"Places"},Qt=class{constructor(t){
this.onChange=t,this.off=new Set;let e=Jt("layers.off");if(Array.isArray(e))for(let n of e)this.off.add(String(n));this.list=l("div",{class:"nv-layer-list",hidden:!0}),
this.button=_("layers","Layers",()=>this.toggle(),{tool:"layers"})}shows(t){return!this.off.has(t)}offer(t){this.button.hidden=!t.length,this.list.replaceChildren(
...t.map(e=>this.row(e)))}row(t){let n=l("input",{type:"checkbox",data:{layer:t},on:{change:()=>this.set(t,n.checked)}});return n.checked=this.shows(t),l("label",
{},n,l("span",{text:Ir[t]}))}set(t,e){e?this.off.delete(t):this.off.add(t),wt("layers.off",[...this.off]),this.onChange()}toggle(t=this.list.hidden!==!1){this.list.
hidden=!t,this.button.classList.toggle("nv-on",t)}};var te=16,ee=class{constructor(){this.box=l("div",{class:"nv-legend"}),this.said=""}show(t){let e=t.filter(o=>o!==null&&o!==!1&&o!==void 0),n=JSON.stringify(e);
n!==this.said&&(this.said=n,this.box.hidden=!e.length,this.box.replaceChildren(...e.map(([o,i,r])=>{let a=r?{"background-color":r}:{};return l("span",{},l("i",{
class:`nv-key nv-key-${o}`,style:a}),i)})))}room(t){let e=[...this.box.childNodes],{said:n}=this,{hidden:o}=this.box;this.box.classList.remove("nv-legend-up"),this.
show(t);let{offsetLeft:i,offsetTop:r,offsetWidth:a,offsetHeight:h}=this.box;return this.said=n,this.box.hidden=o,this.box.replaceChildren(...e),h?[i,r,i+a,r+h]:
void 0}avoid(t){let{box:e}=this;e.classList.remove("nv-legend-up"),!(!t||e.hidden||!this.covers(t))&&(e.classList.add("nv-legend-up"),this.covers(t)&&e.classList.
remove("nv-legend-up"))}covers({x:t,y:e}){let{offsetLeft:n,offsetTop:o,offsetWidth:i,offsetHeight:r}=this.box;return t>n-te&&t<n+i+te&&e>o-te&&e<o+r+te}};var xt={explored:{color:"reference",opacity:.95,word:"explored"},seen:{color:"rejected",opacity:.9,word:"seen"},"pruned now":{color:"bad",dashArray:"3 3",opacity:.95,
word:"pruned now"},"pruned before":{color:"rejected",dashArray:"2 4",opacity:.45,word:"pruned before"}},Nr=9,se=s=>typeof s=="string"?`nv-place-${s.replaceAll(/[^a-z]+/g,
"-")}`:"";function xs(s){let t=s?.panels.find(n=>n.kind==="graph"&&Array.isArray(n.data.states));return(Array.isArray(t?.data.nodes)?t.data.nodes:[]).filter(n=>typeof n?.
id=="string"&&typeof n.state=="string")}var Rn=s=>s.steps.some(t=>xs(t).length>0),Bn=s=>new Set(s.steps.flatMap(t=>xs(t).map(e=>e.state)).filter(t=>t in xt)),zn=s=>Object.
keys(xt).filter(t=>s.has(t)).map(t=>[se(t).replace("nv-",""),xt[t].word]);function jn(s,t){let e=new Set,n=xs(t);if(!n.length)return e;let o=new Map(s.doc.nodes.
ids.map((i,r)=>[i,r]));for(let{id:i,state:r}of n){let a=o.get(i),h=Object.hasOwn(xt,r)?xt[r]:void 0,c=s.spotAt(a);if(!h||!c||!s.here(a))continue;let{color:d,dashArray:p,
opacity:u}=h,f={radius:Nr,color:s.api.color(d),weight:2.6,opacity:u,dashArray:p,fill:!1};s.add(L.circleMarker(c,s.on("walk",f)),"step"),e.add(r)}return e}function bs(s){let t=s.steps.map(n=>n.observation).filter(n=>n!==void 0);return[["reference",s.reference.length>0],["other",!!s.compare],["candidates",t.some(n=>n.
candidates.length>0)],["seen",t.some(n=>n.visible.length>0)],["memory",Rn(s)],["pois",s.pois.length>0]].filter(([,n])=>n).map(([n])=>n)}function Wn(s){let{doc:t}=s,
e=bs(t),n=i=>e.includes(i)&&s.layers.shows(i),o=new Set(t.steps.flatMap(i=>(i.observation?.candidates??[]).map(r=>r.state)));return Hn(s,{other:n("other"),seen:n(
"seen"),leaps:t.steps.some(i=>i.jumps?.length),chosen:n("candidates")&&o.has("chosen"),rejected:n("candidates")&&o.has("rejected"),offered:n("candidates")&&o.has(
"offered"),memory:n("memory")?Bn(t):void 0})}function Dn(s,t){return Hn(s,{...t,other:!!s.doc.compare&&s.layers.shows("other")})}function Hn(s,{other:t,seen:e,leaps:n,
chosen:o,rejected:i,offered:r,memory:a}){let{doc:h}=s;return[h.reference.length>0&&s.layers.shows("reference")&&["reference","reference path"],...Rr(s),t&&h.compare&&
["other",h.compare.label],...t?(h.further??[]).map(c=>["further",c.label,c.colour]):[],e&&["seen","visible area"],o&&["chosen","chosen"],i&&["rejected","not tak\
en"],r&&["offered",s.offeredWord()],...a?zn(a):[],n&&["jump","jump"]]}function Rr({doc:s,api:t}){if(!s.steps.length)return[];let e=Kt(s.steps);return!s.skills||
!e.length?[["agent",s.label??t.options.agentWord??"agent"]]:[...e.map(n=>["skill",s.skills?.[n].short??"",O(s,n)]),s.steps.some(n=>n.walk_back)&&["back","back t\
o the best stop"]]}function N(s,t,e){let n=s[t];if(n.path.length)return n.path;if(n.node===void 0)return[];let o=t+1<s.length?s[t+1].node:e;return o===void 0||o===n.node?[n.node]:
[n.node,o]}function X(s,t,e,n){let o=[],i=[],r=e>0?N(s,e-1,t).at(-1):void 0;for(let a=e;a<n;a+=1){let h=new Set(s[a].jumps);N(s,a,t).forEach((c,d)=>{let p=c===r,
u=o.at(-1);(d>0?!h.has(d-1):p)&&u?p||u.push(c):(r!==void 0&&!p&&i.push([r,c]),o.push([c])),r=c})}return{lines:o.filter(a=>a.length>1),leaps:i}}function bt(s){let t=new Map,
e=(n,o)=>{let i=t.get(n);i?i.add(o):t.set(n,new Set([o]))};for(let n=0;n<s.length;n+=2)e(s[n],s[n+1]),e(s[n+1],s[n]);return t}function Fn(s,t,e){let n=new Set(t),
o=new Map,i=new Map;for(let r of s)r.state!=="rejected"?o.set(r,r.state):n.has(r.node)?o.set(r,"way"):i.set(r.node,r),o.has(r)||o.set(r,"branch");for(let r of Br(
[...i.keys()],e)){let a=r.filter(c=>Gn(c,e).some(d=>n.has(d))),h=new Set(a.length?a:r.slice(0,1));for(let c of r){let d=i.get(c);d&&!h.has(c)&&o.set(d,"beyond")}}
return o}var Gn=(s,t)=>typeof s=="number"?[...t.get(s)??[]]:[];function Br(s,t){let e=new Set(s),n=[];for(let o of s){if(!e.delete(o))continue;let i=[o];for(let r of i)
for(let a of Gn(r,t))e.delete(a)&&i.push(a);n.push(i)}return n}var vs="butt";function Un(s){let{color:t}=s.api,{doc:e}=s;if(s.layers.shows("reference")){let o={color:t("reference"),weight:8,opacity:.95,dashArray:"9 7",lineCap:vs};
s.drawWay([e.reference],o,"paths","walk")}let n=s.spotAt(s.goal);if(zr(s),n&&s.here(s.goal)&&!e.episode.tasks.length){let o={color:t("reference"),weight:1.6,opacity:.9,
dashArray:"3 4",fillOpacity:.09};s.add(L.circle(n,{...s.on("walk",o),radius:e.episode.success_radius_m}),"paths")}if(s.layers.shows("other")){e.compare&&jr(s,e.
compare);for(let o of e.further??[])Wr(s,o)}}function zr(s){let{episode:t,stages:e}=s.doc;t.tasks.forEach((n,o)=>{let i=s.api.color(e.length?V(o):"reference"),r=s.
mainGoal(n);for(let a of n.goals){let h=s.spotAt(a);if(!h||!s.here(a))continue;let c={color:i,weight:1.8,dashArray:"4 3",fillColor:i,fillOpacity:.06,stroke:a===
r};s.add(L.circle(h,{...s.on("walk",c),radius:t.success_radius_m}),"paths")}})}function jr(s,t){let{lines:e}=X(t.steps,t.end,0,t.steps.length),n={color:s.api.color(
"other"),weight:4,lineCap:vs};s.drawWay(e,n,"paths","walk"),qn(s,e,"nv-sign-other",t.label)}function Wr(s,t){let{lines:e}=X(t.steps,t.end,0,t.steps.length);s.drawWay(
e,{color:t.colour,weight:3,lineCap:vs},"paths","walk");let n=qn(s,e,"nv-sign-further",t.label)?.getElement()?.firstElementChild;n instanceof HTMLElement&&n.style.
setProperty("--nv-further",t.colour)}function qn(s,t,e,n){let o=t.at(-1)?.at(-1),i=s.spotAt(o);return!i||!s.here(o)?null:s.add(D(i,`nv-sign-stop ${e}`,{title:`S\
top of ${n}`,pane:"markerPane"}),"ends")}function Vn(s){if(!(!s.doc.further?.length||!s.layers.shows("other")))for(let{steps:t,end:e,tint:n}of s.others()){let o=s.
step===0?s.start:t[s.step-1]?.node??e??t.at(-1)?.node,i=s.spotAt(o);if(!i||!s.here(o))continue;let r={radius:6,color:s.api.color("paper"),weight:2,fillColor:n,fillOpacity:1};
s.add(L.circleMarker(i,s.on("walk",r)),"step")}}var Dr=s=>s.replace(/[.*+?^${}()|[\]\\]/g,"\\$&"),$=s=>`s:${s.toLowerCase()}`,vt=class{constructor(t){this.tokens=new Map(t.nodes.ids.map((e,n)=>[e,`n:${n}`])),
this.letters=new Map,this.baseLetters=new Map,this.names=new Set;for(let e of t.planning.landmarks)this.addName(e.name,e.letter);for(let e of t.steps)for(let n of e.
observation?.pois??[])this.addName(n.name);this.exact=new Set;for(let e of t.pois.slice(0,400))e.kind&&e.name.length>3&&!this.names.has(e.name)&&this.exact.add(
e.name);this.placed=new Set,this.reasons=new Map,this.place(t),this.lower=new Set([...this.names].map(e=>e.toLowerCase())),this.pattern=this.makePattern()}addName(t,e){
t&&(t.length>2&&this.names.add(t),e&&this.baseLetters.set(e,$(t)))}place(t){let e=t.steps.flatMap(n=>n.observation?.pois??[]);for(let{name:n,at:o}of[...e,...t.pois,
...t.planning.landmarks])o&&this.placed.add($(n));for(let{name:n,unplaced:o}of t.planning.landmarks)o&&this.reasons.set($(n),o)}unplaced(t){if(!(!t.startsWith("\
s:")||this.placed.has(t)))return this.reasons.get(t)??"its place is not known"}makePattern(){let t=[...this.tokens.keys()].filter(o=>!/^[\w-]+$/.test(o)).slice(
0,3e3),e=[...[...this.names].slice(0,400),...this.exact,...t].sort((o,i)=>i.length-o.length).map(Dr),n=e.length?`(?<![\\p{L}\\p{N}])(${e.join("|")})(?![\\p{L}\\p{\
N}])`:"($^)";return new RegExp(`${n}|([\\w-]+)|["'\`(]([A-Z])["'\`)]`,"giu")}setStep(t){this.letters=new Map(this.baseLetters);for(let e of t?.observation?.pois??
[])e.letter&&this.letters.set(e.letter,$(e.name))}pieces(t){let e=[],n=0;for(let o of t.matchAll(this.pattern)){let i=this.refOf(o,t);i&&(o.index>n&&e.push({text:t.
slice(n,o.index),ref:null}),e.push({text:o[0],ref:i}),n=o.index+o[0].length)}return n<t.length&&e.push({text:t.slice(n),ref:null}),e}refOf(t,e){if(t[1])return this.
tokens.get(t[1])??(this.isName(t[1])?$(t[1]):null);if(t[3])return this.letters.get(t[3])??null;let n=t[2],o=this.tokens.get(n)??null;return o&&/^\d{1,4}$/.test(
n)&&!/["'`]/.test(e[(t.index??0)-1]??"")?null:o}isName(t){return this.exact.has(t)||this.lower.has(t.toLowerCase())}letter(t){return/^[A-Z]$/.test(t)?this.letters.
get(t):void 0}};var Ss=14,Hr=10,ne=class{constructor(t){this.view=t,this.mouse=null,this.waiting=null,this.pointed=void 0,this.tip=l("div",{class:"nv-map-tip",hidden:!0}),t.plan.
append(this.tip),this.listen()}listen(){let{map:t}=this.view;t.on("mousemove",e=>{this.mouse=e,this.waiting??=requestAnimationFrame(()=>{this.waiting=null,this.
point()})}),t.on("mouseout",()=>{this.mouse=null,this.leave()}),t.on("movestart",()=>{this.tip.hidden=!0}),t.on("click",e=>{let n=this.nearest(e.containerPoint);
n&&this.view.api.pick(n.ref)})}point(){if(!this.mouse||this.view.gone)return;let t=this.nearest(this.mouse.containerPoint);if(t?.ref!==this.pointed){if(!t){this.
leave();return}this.pointed=t.ref,this.view.api.hover([t.ref]),this.view.highlight([t.ref]),this.showTip(t)}}leave(){!this.pointed&&this.tip.hidden||(this.pointed=
void 0,this.tip.hidden=!0,this.view.api.hover([]),this.view.highlight([]))}nearest(t){let{view:e}=this,n=e.map.containerPointToLatLng(t),o=e.map.containerPointToLatLng(
t.add([Ss,-Ss])),[i,r]=[Math.abs(o.lat-n.lat),Math.abs(o.lng-n.lng)],a=null,h=Ss,c=(p,u)=>{if(Math.abs(p[0]-n.lat)>i||Math.abs(p[1]-n.lng)>r)return;let f=e.map.
latLngToContainerPoint(p),g=f.distanceTo(t);g>=h||(h=g,a={...u,p:f})},d=e.doc.nodes.ids.length;for(let p=0;p<d;p+=1)e.here(p)&&c(e.spotOf(p),{ref:`n:${p}`,node:p});
h=Math.min(h,Hr);for(let{at:p,...u}of e.shownPois())c(e.spot(p),{ref:$(u.name),poi:u});return a}showTip({ref:t,node:e,poi:n,p:o}){let{view:i}=this,r=n?[l("b",{text:n.
name}),n.kind??"",n.distance_m===void 0?"":`${n.distance_m.toFixed(1)} m away`]:[l("b",{class:"nv-id",text:jt(i.doc.nodes.ids[e??0])}),...i.nodeFacts(e??0)],a=i.
api.mentions(t);a&&r.push(`in the text ${a===1?"once":W(a,"time","times")}`),this.tip.replaceChildren(...r.filter(Boolean).map(c=>l("div",{},c))),this.tip.hidden=
!1;let h=i.map.getSize();this.tip.style.left=`${Math.min(o.x+16,h.x-this.tip.offsetWidth-8)}px`,this.tip.style.top=`${Math.max(8,Math.min(o.y+14,h.y-this.tip.offsetHeight-
8))}px`}destroy(){this.waiting!==null&&cancelAnimationFrame(this.waiting)}};function Kn(s){return(Zt(s.doc)?.quotes??[]).filter(({at:t,source:e})=>t&&e==="map")}function Xn(s){for(let{at:t}of Kn(s)){let e={radius:14,color:s.api.color("b\
ad"),weight:3,fill:!1,dashArray:"6 4"};s.add(L.circleMarker(s.spot(t??[]),s.on("walk",e)),"step")}}function Zn(s){return Kn(s).map(({at:t,text:e})=>({spot:s.spot(
t??[]),text:e,look:"nv-tag-proof",gap:18,weight:700,size:13/14,must:!0}))}function Yn(s,t){return Ms(s.nodes.ids,t.nodes.ids)&&Ms(s.nodes.crossings,t.nodes.crossings)&&s.pois.length===t.pois.length&&s.pois.every((e,n)=>e.id===t.pois[n].
id)&&s.streets.length===t.streets.length&&s.streets.every((e,n)=>Ms(e,t.streets[n]))}function Ms(s,t){return s.length===t.length&&s.every((e,n)=>e===t[n])}var Fr=[["ground",210],["walk",420],["move",580]],Gr=["ground","paths","ends","step","light"],Ur={"nv-signs":560,"nv-chosen":610,"nv-labels":650},Qn=.1,Jn=.4;function to(s){
let t={};for(let[e,n]of Fr){let o=s.createPane(`nv-${e}`);o.style.zIndex=String(n),o.style.pointerEvents="none",t[e]=L.canvas({pane:`nv-${e}`,padding:Qn});let i=t[e],
r=i._redraw;i._redraw=()=>{i._redrawRequest&&L.Util.cancelAnimFrame(i._redrawRequest),i._ctx&&r.call(i)}}for(let[e,n]of Object.entries(Ur))s.createPane(e).style.
zIndex=String(n);return t}function eo(s,t){for(let e of Object.values(t)){if(e.options.padding===Jn)continue;e.options.padding=Jn;let n=e;s.hasLayer(e)&&n._update()}}
function so(s){for(let t of Object.values(s))t.options.padding=Qn}function no(s){return Object.fromEntries(Gr.map(t=>[t,L.layerGroup().addTo(s)]))}function oo(s,t){let e={leaps:qr(s)};if(!t)return e;let n=N(s.doc.steps,s.step-1,s.end);if(t.observation&&s.layers.shows("seen")&&(e.seen=Kr(s,t.observation)),s.
drawAround(t),s.layers.shows("memory")&&(e.memory=jn(s,t)),s.layers.shows("candidates")&&Object.assign(e,Xr(s,t,n)),Jr(s,n),s.layers.shows("pois"))for(let i of s.
seen())Qr(s,i);let o=t.decision?.legal===!1?s.spotAt(t.decision.target):null;return o&&s.here(t.decision?.target)&&s.add(D(o,"nv-sign-bad",{title:"Illegal decis\
ion",pane:"nv-chosen"}),"step"),e}function qr(s){let{doc:t,step:e,end:n}=s,{color:o}=s.api,i=X(t.steps,n,0,e);for(let r of yt(t.steps,e,t.steps.length)){let{lines:a}=X(
t.steps,n,r.from,r.to),h=O(t,r.skill)??o("agent");s.drawWay(a,{color:h,weight:2,opacity:.75,dashArray:"1 6"},"step","walk")}t.stages.length&&Vr(s);for(let r of t.
stages.length?[]:yt(t.steps,0,e)){let{lines:a}=X(t.steps,n,r.from,r.to),h=O(t,r.skill)??o("agent"),c=r.back?"7 6":void 0;s.drawWay(a,{color:h,weight:4,lineJoin:"\
round",dashArray:c},"step","walk")}return s.drawWay(i.leaps,{color:o("bad"),weight:2.5,dashArray:"2 7"},"step","walk"),i.leaps.length>0}function Vr(s){let{doc:t,
step:e,end:n}=s;t.stages.forEach(({first:o,last:i},r)=>{if(o===void 0||i===void 0||o>e)return;let{lines:a}=X(t.steps,n,o-1,Math.min(i,e)),h=s.api.color(V(r));s.
drawWay(a,{color:h,weight:4,lineJoin:"round"},"step","walk")})}function Kr(s,t){let{color:e}=s.api,n=new Set(t.visible.filter(r=>typeof r=="number"));if(!n.size)
return!1;let o=[];for(let r of n)for(let a of s.near.get(r)??[])r<a&&n.has(a)&&o.push(s.way([r,a]));s.add(L.polyline(o,s.on("walk",{color:e("seen"),weight:20,opacity:.34,
smoothFactor:0,lineCap:"round"})),"step");let i=s.on("walk",{radius:2,stroke:!1,fillColor:e("seen-ink"),fillOpacity:.9});for(let r of s.line([...n]))s.add(L.circleMarker(
r,i),"step");return!0}function Xr(s,t,e){let n=s.candidates(t),o=n.find(a=>a.state==="chosen"),i=Fn(n,[...e,...t.node===void 0?[]:[t.node],...o?[o.node,...o.path??
[]]:[]],s.near),r=new Set;for(let[a,h]of i){let c=s.spotAt(a.node);a.path&&a.path.length>1&&a.state!=="chosen"&&Zr(s,a),!(!c||!s.here(a.node))&&(r.add(h),Yr(s,a,
h,c))}return{chosen:r.has("chosen"),rejected:r.has("branch"),offered:r.has("offered")}}function Zr(s,t){let e=t.state==="rejected",n={color:s.api.color(e?"rejec\
ted":"offered"),weight:2,opacity:.85,dashArray:e?"2 4":void 0};s.drawWay([t.path??[]],n,"step","walk")}function Yr(s,t,e,n){let{color:o}=s.api,i=[t.state,t.label,
t.reason].filter(Boolean).join(" · ");if(e==="chosen")s.add(D(n,"nv-cand nv-cand-chosen",{title:i,pane:"nv-chosen"}),"step");else if(e==="branch")s.add(D(n,"nv\
-cand nv-cand-rejected",{title:i}),"step");else if(e==="offered"){let r={radius:5,color:o("offered"),weight:2.2,fillColor:o("ground"),fillOpacity:1};s.add(L.circleMarker(
n,s.on("walk",r)),"step")}else{let r={radius:2.6,stroke:!1,fillColor:o("rejected"),fillOpacity:.95};s.add(L.circleMarker(n,s.on("walk",r)),"step")}}function Jr(s,t){
if(t.length<2)return;let{color:e}=s.api,n=s.doc.steps[s.step-1],o=Ht(s.doc.stages,s.step),i=e(o<0?"agent":V(o)),r=o<0?O(s.doc,n?.skill)??i:i,a=n?.walk_back?"9 7":
void 0;s.drawWay([t],{color:e("ground"),weight:9,opacity:.95},"step","move"),s.drawWay([t],{color:r,weight:5.5,dashArray:a},"step","move");let h=s.spotAt(t.at(-1));
!h||!s.here(t.at(-1))||s.add(L.circleMarker(h,s.on("move",{radius:6.5,color:r,weight:3,fillColor:e("ground"),fillOpacity:1})),"step")}function Qr(s,t){if(!s.placeHere(
t.at))return;let e=s.spot(t.at),n=s.spotAt(t.node);n&&!t.approximate&&s.add(L.polyline([n,e],s.on("walk",{color:s.api.color("landmark"),weight:1.4,opacity:.9,dashArray:"\
1 4"})),"step");let o=[t.name,t.position??t.direction,t.distance_m===void 0?null:M(t.distance_m),t.approximate?"shown at its node":null],i=t.letter?"nv-sign-let\
ter":"nv-sign-object";s.add(D(e,i,{text:t.letter??"",title:o.filter(Boolean).join(" · "),ref:$(t.name)}),"step")}function Ts(s,{tools:t,legend:e,credit:n,floors:o}){let i=Math.min(e?e[1]:s.y,n?n[1]:s.y),r=t?s.x-t[0]:0,a=o?o[2]:0,h=d=>Math.min(d+22,.3*s.x),c=d=>Math.min(d+22,
.3*s.y);return[h(a),c(0),h(r),c(s.y-i)]}var ta=1.5,ea=2;function io(s){let{doc:t}=s,e=()=>s.line(t.nodes.ids.map((a,h)=>h));if(s.api.options.whole&&!t.reference.length)return e();let n=s.others().flatMap(
({steps:a})=>a.flatMap(h=>[h.node,...h.path])),o=t.episode.tasks.flatMap(a=>a.goals),i=s.line([s.start,s.goal,...o,...n]),r=[...s.way(t.reference),...s.way(s.walked),
...i];return r.length?r:e()}var oe=class{constructor(t,e){this.map=t,this.sheets=e,this.placing=!1,this.fitted=null,t.on("movestart",()=>{this.placing||eo(t,e)})}put(t,e){
so(this.sheets),this.placing=!0,e(),this.placing=!1,this.fitted={wish:t,zoom:this.map.getZoom(),center:this.map.getCenter()}}fulfils(t){let{map:e,fitted:n}=this;
return n?.wish!==t||e.getZoom()!==n.zoom?!1:e.latLngToContainerPoint(n.center).distanceTo(e.getSize().divideBy(2))<2}};function ro(s,t){let{map:e}=s,n=s.wanted(),
o=e.getSize();if(!n.length||!o.x||!o.y)return;let i=Ts(o,s.furniture()),[r,a,h,c]=i,d=L.latLngBounds(n),p=JSON.stringify([o,i,d,s.closest()]);if(s.framing.fulfils(
p))return;let u=e.getBoundsZoom(d,!1,L.point(r+h,a+c)),f=e.getMaxZoom();e.options.minZoom=Math.min(u,s.closest())-ta;let g=()=>e.fitBounds(d,{paddingTopLeft:[r,
a],paddingBottomRight:[h,c],maxZoom:Math.min(s.closest(),f),animate:t});t?g():s.framing.put(p,g)}function ao(s,t){let{map:e,doc:n}=s,o=s.way(t?N(n.steps,s.step-
1,s.end):[n.episode.start]);if(!o.length||!e.getSize().x)return;let i=L.latLngBounds(o);if(e.getBounds().pad(-.02).contains(i))return;e.getBoundsZoom(i.pad(.2))>=
e.getZoom()?e.panTo(i.getCenter(),{duration:.25}):e.fitBounds(i.pad(.2),{maxZoom:e.getZoom()})}function lo(s,t){let{map:e}=s,n=L.latLngBounds(t.map(i=>s.spot(i))),
o=Math.max(e.getZoom(),s.nearZoom());t.length>1?e.fitBounds(n.pad(.4),{maxZoom:o}):e.setView(n.getCenter(),o,{animate:!0})}function ho(s,t,e){let n=s.around(s.spot(
t)),o=n.pad(ea);for(let c of e)o.contains(s.spot(c))&&n.extend(s.spot(c));let[i,r,a,h]=Ts(s.map.getSize(),s.furniture());s.map.fitBounds(n,{animate:!0,paddingTopLeft:[
i,r],paddingBottomRight:[a,h]})}function Ls(s){let t=s.frame==="geo"?2:3,e=new Map;for(let{ends:n,at:o}of s.bends??[]){let i=[];for(let r=0;r<o.length;r+=t)i.push(o.slice(r,r+t));e.set(`${n[0]}\
 ${n[1]}`,i),e.set(`${n[1]} ${n[0]}`,[...i].reverse())}return e}var ie=class{constructor(t,e){this.api=e,this.doc=t,this.step=0,this.bends=Ls(t)}turnTo(t){this.doc=t,this.bends=Ls(t),this.step=Math.min(this.step,t.steps.length)}spot(t){
return[t[0],t[1]]}spotOf(t){return[this.doc.nodes.at[2*t],this.doc.nodes.at[2*t+1]]}spotAt(t){return typeof t=="number"&&t>=0&&t<this.doc.nodes.ids.length?this.
spotOf(t):null}line(t){return t.map(e=>this.spotAt(e)).filter(e=>e!==null)}between(t,e){return this.bends.get(`${t} ${e}`)?.map(n=>this.spot(n))??[]}way(t){return t.
flatMap((e,n)=>{let o=this.spotAt(e),i=t[n-1],r=e===void 0||i===void 0?[]:this.between(i,e);return o?[...r,o]:[]})}here(t){return!0}placeHere(t){return!0}partsHere(t){
let e={shown:[],away:[]};for(let n of t){let o=null;for(let i=0;i+1<n.length;i+=1){let[r,a]=[this.spotAt(n[i]),this.spotAt(n[i+1])];if(!r||!a){o=null;continue}let h=this.
here(n[i])||this.here(n[i+1])?e.shown:e.away,c=this.between(n[i],n[i+1]);h===o?h[h.length-1].push(...c,a):h.push([r,...c,a]),o=h}}return e}candidates(t){return t.
observation?.candidates??[]}get goal(){let{episode:t,reference:e}=this.doc;return t.goal??e.at(-1)}get start(){let{episode:t,reference:e}=this.doc;return typeof t.
start=="number"?t.start:e[0]}get end(){return this.doc.end?.node}get standing(){return this.step===0?this.doc.episode.start:this.doc.steps[this.step-1]?.node}get walked(){
return this.doc.steps.flatMap((t,e)=>N(this.doc.steps,e,this.end))}seen(){return(this.doc.steps[this.step-1]?.observation?.pois??[]).flatMap(e=>e.at?[{...e,at:e.
at}]:[])}others(){let{compare:t,further:e}=this.doc;return[...t?[{...t,tint:this.api.color("other")}]:[],...(e??[]).map(n=>({...n,tint:n.colour}))]}mainGoal(t){
let e=new Set(this.doc.reference);return t.goals.find(n=>e.has(n))??t.goals[0]}heading(){let{doc:t,step:e}=this;return e===0?t.episode.start_heading_deg:t.steps[e-
1]?.heading_deg}};var sa=60,rt=class extends ie{constructor(t,e,n,o){super(e,n),this.box=t,this.gone=!1,this.moved=!1,this.lit=[],this.canvas=l("div",{class:"nv-leaflet"}),this.plan=
l("div",{class:"nv-plan-view"},this.canvas),t.append(this.plan),this.credit=l("div",{class:"nv-credit"}),this.legend=new ee,this.layers=new Qt(()=>this.onLayers()),
this.map=L.map(this.canvas,{zoomControl:!1,attributionControl:!1,keyboard:!1,preferCanvas:!0,boxZoom:!1,wheelPxPerZoomLevel:110,...o}),this.sheets=to(this.map),
this.framing=new oe(this.map,this.sheets),this.groups=no(this.map),this.ends={start:null,stop:null,stopNode:void 0},this.agent=new Ft,this.coneShape=L.polygon([]),
this.tools=l("div",{class:"nv-tools"},this.makeTools()),this.plan.append(this.credit,this.legend.box,this.tools,this.layers.list),L.control.scale({imperial:!1,position:"\
bottomright",maxWidth:90}).addTo(this.map),this.near=bt(e.links),this.labels=new Yt(this),this.pointer=new ne(this),this.map.setView(this.spotAt(0)??[0,0],1,{animate:!1}),
this.listen()}listen(){this.map.on("dragstart",()=>this.take());for(let t of["wheel","dblclick"])this.canvas.addEventListener(t,()=>this.take(),{passive:!0});this.
map.on("zoomend",()=>this.restyle()),this.map.on("moveend",()=>{this.gone||(this.clearGoal(),this.labels.moved())}),this.map.on("zoomend",()=>this.labels.tags())}clearGoal(){
let t=this.spotAt(this.goal);this.legend.avoid(t&&this.doc.frame==="geo"?this.map.latLngToContainerPoint(t):void 0)}take(){this.moved=!0}wanted(){return io(this)}furniture(){
return{tools:this.boxOf(this.tools),legend:this.legend.room(Wn(this)),credit:this.boxOf(this.credit)}}boxOf(t){let e=this.plan.getBoundingClientRect(),n=t?.getBoundingClientRect();
if(!(!n?.height||n.left>=e.right))return[n.left-e.left,n.top-e.top,n.right-e.left,n.bottom-e.top]}drawAround(t){}fit(t=!0){this.moved=!1,ro(this,t)}closest(){return 18.5}resize(){
this.gone||(this.map.invalidateSize({animate:!1,pan:!1}),this.labels.forget(),this.moved||this.fit(!1),this.labels.tags(),this.labels.soon())}settle(){this.labels.
tags(),this.labels.names()}begin(){this.drawCredit(),this.fit(!1),this.drawGroundAndWays()}draw(){this.drawGroundAndWays(),this.paint()}drawGroundAndWays(){for(let t of Object.
values(this.groups))t.clearLayers();this.drawGround(),this.drawWays(),this.drawCredit(),this.restyle()}drawGround(){}restyle(){}drawCredit(){this.credit.textContent=
this.doc.graph.attribution??""}add(t,e){return this.groups[e].addLayer(t),t}on(t,e){return{renderer:this.sheets[t],interactive:!1,smoothFactor:.4,...e}}drawWay(t,e,n,o){
let{shown:i,away:r}=this.partsHere(t);i.length&&this.add(L.polyline(i,this.on(o,e)),n);let a=.16*(e.opacity??1);r.length&&this.add(L.polyline(r,this.on(o,{...e,
opacity:a})),n)}offeredWord(){return"offered"}onLayers(){this.draw(),this.moved||this.fit(!1)}showStep(t){this.step=t,this.paint()}paint(){let{doc:t,step:e}=this;
this.groups.step.clearLayers(),this.groups.light.clearLayers();let n=oo(this,t.steps[e-1]);Xn(this),this.legend.show(Dn(this,n)),Vn(this),this.placeAgent(),Js(this),
this.clearGoal(),this.follow(t.steps[e-1]),this.lit.length&&this.highlight(this.lit),this.labels.tags(),this.labels.soon()}placeAgent(){let t=this.standing;this.
agent.place(this.map,this.spotAt(t),this.heading(),!this.here(t))}follow(t){ao(this,t)}tags(){return[...Gt(this),...Zn(this),...this.seenTags()]}names(){return[]}nameRoom(){
return this.box.closest(".nv-present")?26:40}seenTags(){return this.layers.shows("pois")?Qs(this):[]}shownPois(){return[...this.layers.shows("pois")?this.doc.pois:
[],...this.seen()]}highlight(t){this.lit=t,On(this,t)}refHere(t,e){return!0}panTo(t){let{at:e}=this.api.resolve(t,this.step);e.length&&(this.take(),lo(this,e),this.
highlight([t]))}closeUp(t,e=[]){this.take(),ho(this,t,e)}around(t){return L.latLng(t).toBounds(2*sa)}nearZoom(){return 17.5}nodeFacts(t){return[]}cone(t){An(this,
t)}makeTools(){let t=e=>()=>{this.take(),e>0?this.map.zoomIn():this.map.zoomOut()};return[_("closer","Closer",t(1),{tool:"in"}),_("farther","Farther",t(-1),{tool:"\
out"}),_("whole","The whole route",()=>this.fit(),{tool:"fit"}),this.layers.button]}update(t){let e=this.doc,n=t.episode.id!==e.episode.id||t.world!==e.world;this.
turnTo(t),this.near=bt(t.links),this.adopt(),!n&&Yn(e,t)?this.drawWays():this.drawGroundAndWays(),(n||!this.moved)&&this.fit(!1)}adopt(){}drawWays(){this.groups.
paths.clearLayers(),this.groups.ends.clearLayers(),Un(this),this.ends=Ys(this),this.layers.offer(bs(this.doc))}setTheme(){this.draw()}destroy(){this.gone=!0,this.
labels.destroy(),this.pointer.destroy(),this.map.remove()}};var na=700,re=2.5,oa=.6,co={floors:[{name:"Floor 1",level_m:0}],floor_of:[],stairs:[],rooms:[],doors:[],outlines:[],pictures:[]},ae=6,at=class extends rt{constructor(t,e,n){
super(t,e,n,{crs:L.CRS.Simple,zoomSnap:0,zoomDelta:.5,minZoom:-5,maxZoom:8.6}),this.plan.classList.add("nv-floorplan"),this.solid=l("div",{class:"nv-scene"}),t.
classList.add("nv-indoor"),this.floorBox=l("div",{class:"nv-floors",role:"group","aria-label":"Floors"}),this.plan.append(this.floorBox),t.append(this.solid,this.
tools,this.layers.list),this.heights=new qt(t,e),this.scene=null,this.floorButtons=[],this.house=co,this.stairs=new Set,this.ways=[],this.floor=0,this.adopt(),this.
floor=this.floorOf(e.episode.start)??0,this.markFloor(),this.mode="plan",this.setMode(it.possible(this.api)&&t.clientWidth>na?"both":"plan"),this.begin()}adopt(){
this.house=this.doc.indoor??co,this.stairs=new Set(this.house.stairs),this.heights?.update(this.doc),this.makeFloors()}spot(t){return[t[1],t[0]]}spotOf(t){let{at:e}=this.
doc.nodes;return[e[3*t+1],e[3*t]]}metresOf(t){return this.doc.nodes.at.slice(3*t,3*t+3)}floorOf(t){return typeof t=="number"?this.house.floor_of[t]??0:null}floorAt(t){
let e=this.house.floors.map(({level_m:n})=>{let o=t[2]-n;return o>-oa?o:100-o});return e.indexOf(Math.min(...e))}here(t){return this.floorOf(t)===this.floor}placeHere(t){
return this.floorAt(t)===this.floor}refHere(t,e){return t.startsWith("n:")?this.here(Number(t.slice(2))):this.placeHere(e)}get scale(){return 2**this.map.getZoom()}makeFloors(){
let{floors:t}=this.house;this.floorBox.hidden=t.length<2,this.floorButtons=t.map(({name:e,level_m:n},o)=>{let i={mousedown:k,click:()=>this.setFloor(o)};return l(
"button",{type:"button",class:"nv-floor",data:{floor:o},text:e,title:`${e}, ${M(n)}`,on:i})}),this.floorBox.replaceChildren(...[...this.floorButtons].reverse()),
this.markFloor()}setFloor(t){t!==null&&(this.floor=Math.max(0,Math.min(this.house.floors.length-1,t)),this.markFloor(),this.draw())}markFloor(){this.plan.dataset.
floor=String(this.floor);for(let[t,e]of this.floorButtons.entries())e.setAttribute("aria-pressed",String(t===this.floor))}setMode(t){this.mode=t,this.box.dataset.
mode=t;for(let[e,n]of Object.entries(this.modeButtons??{}))n.classList.toggle("nv-on",e===t);this.scene?.turn(t!=="plan"),!(t==="plan"||this.scene)&&(this.scene=
new it(this.solid,this.doc,this.api,e=>this.pointAt(e)),this.scene.start(this.step))}makeTools(){let t=(e,n)=>_(e,n,()=>{this.setMode(e),this.resize()},{tool:e});
return this.modeButtons={plan:t("plan","Floor plan"),both:t("both","Plan and 3-D scene"),scene:t("scene","3-D scene")},[...super.makeTools(),...it.possible(this.
api)?Object.values(this.modeButtons):[]]}wanted(){let t=super.wanted(),e=this.house.rooms.flatMap(({box_m:[d,p,u,f]})=>[[p,d],[f,u]]),n=L.latLngBounds([...this.
line(this.doc.nodes.ids.map((d,p)=>p)),...e]),o=L.latLngBounds(t),i=(d,p,u)=>Math.max(p,Math.min(u,d)),[r,a,h,c]=[n.getSouth(),n.getWest(),n.getNorth(),n.getEast()];
return[[i(o.getSouth()-re,r,h),i(o.getWest()-re,a,c)],[i(o.getNorth()+re,r,h),i(o.getEast()+re,a,c)]]}furniture(){return{...super.furniture(),floors:this.boxOf(
this.floorBox)}}closest(){return Math.log2(110)}nearZoom(){return Math.log2(45)}resize(){super.resize(),this.scene?.resize()}drawGround(){this.scaled=en(this)}restyle(){
for(let{layer:t,width_m:e,least:n}of this.scaled??[])t.setStyle({weight:Math.max(n,e*this.scale)})}drawAround(t){let e=this.heading();typeof t.node=="number"&&this.
here(t.node)&&e!==void 0&&nn(t)&&on(this,t.node,e)}showStep(t){this.step=t,this.plan.dataset.node=String(this.standing??""),this.scene?.showStep(t),this.heights.
showStep(t);let e=this.floorOf(this.standing);e!==null&&e!==this.floor?this.setFloor(e):this.paint()}seen(){let t=this.doc.steps[this.step-1];return t?rn(this,t,
this.heading()):[]}candidates(t){let e=super.candidates(t);if(e.length||typeof t.node!="number")return e;let n=this.metresOf(t.node),o=this.heading();return[...this.
near.get(t.node)??[]].map(i=>{let r=this.metresOf(i),a=o===void 0?{}:{angle_deg:Wt(Ks(n,r)-o)},h=i===t.decision?.target?"chosen":"offered";return{node:i,state:h,
distance_m:Math.hypot(...r.map((c,d)=>c-n[d])),...a}})}offeredWord(){return"navigable"}tags(){return[...Gt(this),...an(this),...ln(this),...hn(this),...this.seenTags(),
...cn(this)]}seenTags(){return super.seenTags().map(t=>({...t,text:t.text.replace(/_\d+$/,"")}))}names(){return dn(this)}highlight(t){super.highlight(t),this.plan.
dataset.lit=t.join(" "),this.scene?.highlight(t.flatMap(e=>this.api.resolve(e,this.step).at))}around(t){let[e,n]=t;return L.latLngBounds([e-ae,n-ae],[e+ae,n+ae])}panTo(t){
let[e]=this.api.resolve(t,this.step).at;if(!e)return;let n=t.startsWith("n:")?this.floorOf(Number(t.slice(2))):this.floorAt(e);n!==this.floor&&this.setFloor(n),
super.panTo(t)}pointAt(t){this.api.hover(t?[t]:[]),this.highlight(t?[t]:[])}nodeFacts(t){let e=this.doc.steps[this.step-1],n=e?this.candidates(e).find(i=>i.node===
t):void 0,o=this.house.floors[this.floorOf(t)??0];return[this.stairs.has(t)?"on the stairs":o?.name??"",n?fs(this,n):""]}update(t){super.update(t),this.scene?.update(
t)}setTheme(){super.setTheme(),this.scene?.redraw()}destroy(){this.scene?.destroy(),super.destroy()}};var ia="© OpenStreetMap contributors",ra="https://tile.openstreetmap.org/{z}/{x}/{y}.png",aa=15.5,la=16.5,ha=16.25,ca=18,lt=class extends rt{constructor(t,e,n){
super(t,e,n,{zoomSnap:.25,zoomDelta:.5,maxZoom:20.5,minZoom:1}),this.close=!1,this.tiles=null,this.begin()}drawGround(){let{color:t}=this.api,e=i=>this.on("grou\
nd",{smoothFactor:.6,...i});for(let i of this.doc.backdrop){let r=i.rings.map(po),a=t(`area-${i.kind}`)||t("area");i.line?this.add(L.polyline(r,e({color:a,weight:2})),
"ground"):this.add(L.polygon(r,e({color:a,weight:.6,fillColor:a,fillOpacity:1})),"ground")}let n=this.doc.streets.map(po);this.casing=this.add(L.polyline(n,e({color:t(
"street-edge"),lineCap:"round"})),"ground"),this.streets=this.add(L.polyline(n,e({color:t("street"),lineCap:"round"})),"ground");let o=e({radius:1.8,stroke:!1,fillColor:t(
"node"),fillOpacity:1});this.crossings=this.line(this.doc.nodes.crossings).map(i=>this.add(L.circleMarker(i,o),"ground")),this.dots=this.doc.pois.map(i=>{let r={
radius:3,weight:1,color:t("ground"),fillColor:t(i.light?"light":"poi"),fillOpacity:1};return this.add(L.circleMarker(this.spot(i.at),e(r)),"ground")})}restyle(){
let t=this.map.getZoom(),e=Math.max(1.6,Math.min(16,1.5*1.75**(t-14.4)));this.casing?.setStyle({weight:e+1.6}),this.streets?.setStyle({weight:e});for(let o of this.
crossings??[])o.setStyle({fillOpacity:t>=la?1:0});let n=t>=aa&&this.layers.shows("pois")?1:0;this.dots?.forEach((o,i)=>{let r=(this.doc.pois[i].light?2:3)+Math.
max(0,t-17);o.setStyle({fillOpacity:n,opacity:n}).setRadius(r)})}*names(){let t=this.map.getZoom();if(t<ha||!this.layers.shows("pois"))return;this.labels.keepFree(
this.doc.pois.map(n=>this.spot(n.at)));let e=new Set(this.seen().map(n=>$(n.name)));for(let n of this.doc.pois)n.light||!n.kind&&t<ca||e.has($(n.name))||(yield{
spot:this.spot(n.at),text:n.name,look:"nv-tag-name",gap:6})}heading(){return super.heading()??this.bearing()}bearing(){if(this.step===0)return;let[t,e]=this.way(
N(this.doc.steps,this.step-1,this.end));if(!(!t||!e||t[0]===e[0]&&t[1]===e[1]))return Math.atan2((e[1]-t[1])*Math.cos(t[0]*Math.PI/180),e[0]-t[0])*180/Math.PI}follow(t){
if(!this.close||!t){super.follow(t);return}let n=[...this.way(N(this.doc.steps,this.step-1,this.end)),...this.line(t.observation?.visible??[])];n.length&&this.map.
fitBounds(L.latLngBounds(n).pad(.15),{padding:[40,40],maxZoom:18.5,duration:.3})}nodeFacts(t){let e=new Set(this.seen().filter(n=>n.node===t).map(n=>n.name));return[
this.doc.nodes.crossings.includes(t)?"intersection":"street node",e.size?`landmarks here: ${[...e].join(", ")}`:""]}makeTools(){return this.closeButton=_("close",
"Stay close to the agent",()=>this.toggleClose(),{tool:"close"}),this.tileButton=_("tiles","Map tiles from openstreetmap.org (needs the network)",()=>this.toggleTiles(),
{tool:"tiles"}),[...super.makeTools(),this.closeButton,this.tileButton]}toggleClose(){if(this.close=!this.close,this.closeButton?.classList.toggle("nv-on",this.
close),!this.close){this.fit();return}this.take(),this.follow(this.doc.steps[this.step-1])}toggleTiles(){this.tiles?(this.tiles.remove(),this.tiles=null):this.tiles=
L.tileLayer(ra,{maxNativeZoom:19,maxZoom:21,opacity:.85}).addTo(this.map),this.tileButton?.classList.toggle("nv-on",this.tiles!==null),this.box.classList.toggle(
"nv-with-tiles",this.tiles!==null),this.drawCredit()}drawCredit(){let t=[this.doc.graph.attribution,this.tiles?ia:null].filter(Boolean);this.credit.textContent=
[...new Set(t)].join(" · ")}};function po(s){let t=[];for(let e=0;e<s.length;e+=2)t.push([s[e],s[e+1]]);return t}var ht=3e4,da=14;function R(s,t,e){let n=e?.unplaced(t);if(n)return l("span",{class:"nv-unplaced",text:s,title:pa(`${s}: ${n}`)});let o=t.startsWith("n:")&&s.length>
da,i={class:o?"nv-ref nv-id nv-cut":"nv-ref",text:s,data:{ref:t},tabindex:-1};return l("span",o?{...i,title:s}:i)}var pa=s=>`${s.charAt(0).toUpperCase()}${s.slice(
1)}.`;function Es(s,t,e){let n=l("button",{type:"button",class:"nv-more",text:`Show ${C(t)} more characters`,on:{click:()=>n.replaceWith(e())}});return s.append(
" … ",n),s}function m(s,t){let e=document.createDocumentFragment();for(let n of s.pieces(t.slice(0,ht)))e.append(n.ref?R(n.text,n.ref,s):n.text);return t.length>
ht&&Es(e,t.length-ht,()=>m(s,t.slice(ht))),e}function le(s,t){if(!t)return;let e=t.offsetTop-s.offsetTop,n=e+t.offsetHeight;e<s.scrollTop?s.scrollTop=e:n>s.scrollTop+
s.clientHeight&&(s.scrollTop=Math.min(e,n-s.clientHeight))}var uo={entries:8,chars:120};function fo(s){try{return{value:JSON.parse(s)}}catch{return null}}function et(s,t,e,n="$",o=0){if(s===null||typeof s!="object")return go(
s,t);let i=Array.isArray(s),r=i?s.map((u,f)=>[String(f),u]):Object.entries(s);if(!r.length)return l("span",{class:"nv-j-mute",text:i?"[]":"{}"});if(ua(s,r))return fa(
i,r,t);let a=e.get(n)??o<2,h=r.slice(0,4).map(([u])=>u),c=l("div",{class:"nv-j-body"}),d=()=>{if(!c.childElementCount)for(let[u,f]of r){let g=`${n}.${i?"*":u}`;
c.append(l("div",{class:"nv-j-row"},mo(u,t),et(f,t,e,g,o+1)))}};a&&d();let p=l("summary",{class:"nv-j-mute",text:i?`${r.length} items`:h.join(", ")});return Rt(
{class:"nv-j"},p,c,a,u=>{e.set(n,u),u&&d()})}function mo(s,t){let e=t.letter(s)??t.tokens.get(s);return l("span",{class:"nv-j-key"},e?R(s,e,t):s)}var ua=(s,t)=>t.
length<=uo.entries&&t.every(([,e])=>e===null||typeof e!="object")&&JSON.stringify(s).length<=uo.chars;function fa(s,t,e){let n=l("span",{class:"nv-j-short"});return t.
forEach(([o,i],r)=>{r&&n.append("  "),s||n.append(mo(o,e)," "),n.append(go(i,e))}),n}function go(s,t){if(s==="")return l("span",{class:"nv-j-mute",text:'""'});if(typeof s!=
"string")return l("span",{class:"nv-j-num",text:String(s)});let e=t.letter(s)??t.tokens.get(s);return l("span",{class:"nv-j-str"},e?R(s,e,t):m(t,s))}function yo({doc:s,step:t,go:e}){if(!s.skills)return null;let n=s.steps.map((i,r)=>{let a=i.skill===void 0?"no skill":s.skills?.[i.skill]?.name;return l("button",
{type:"button",class:r+1===t?"nv-skill-block nv-current":"nv-skill-block",title:`Step ${r+1}: ${a}`,"aria-label":`Step ${r+1}: ${a}`,style:{"background-color":O(
s,i.skill)??"transparent"},data:{step:r+1},on:{click:()=>e(r+1)}})}),o=Kt(s.steps).map(i=>l("span",{class:"nv-chip"},l("i",{class:"nv-swatch",style:{"background\
-color":O(s,i)??"transparent"}}),s.skills?.[i]?.name??""));return l("div",{},l("div",{class:"nv-skill-strip"},n),l("div",{class:"nv-chips"},o))}function wo(s,t){let{linker:e,doc:n}=t,o=s.items??[],i=o.map(d=>ko(d.value)).filter(d=>d!==null),r=Math.max(...i,0),a=Math.min(...i,0),h=r-a||1,c=l("div",{class:"\
nv-bars"},o.map(d=>{let p=ko(d.value),u=wn(n,d.skill),f=p===null?null:{left:`${(Math.min(p,0)-a)/h*100}%`,width:`${Math.abs(p)/h*100}%`};return f&&u&&(f["backgr\
ound-color"]=u),l("div",{class:d.chosen?"nv-bar-row nv-chosen":"nv-bar-row"},l("span",{class:"nv-bar-label"},m(e,String(d.label??""))),l("span",{class:"nv-bar-t\
rack"},f?l("span",{class:"nv-bar",style:f}):null),l("span",{class:"nv-bar-value",text:p===null?"–":tt(p)}),d.note?l("span",{class:"nv-bar-note"},m(e,String(d.
note))):null)}));return l("div",{},s.hint?l("p",{class:"nv-hint"},m(e,String(s.hint))):null,c,s.note?l("p",{class:"nv-mute"},m(e,String(s.note))):null,s.ran?yo(
t):null)}function ko(s){let t=s==null?Number.NaN:Number(s);return Number.isFinite(t)?t:null}function bo(s,t){let[e,n]=[xo(s),xo(t)];if(e.length*n.length>1200*1200)return[{kind:"new",text:t}];let o=ma(e,n),i=[],[r,a]=[0,0];for(;r<e.length||a<n.length;)r<
e.length&&a<n.length&&e[r]===n[a]?($s(i,"same",n[a]),r+=1,a+=1):a<n.length&&(r===e.length||o[r][a+1]>=o[r+1][a])?($s(i,"new",n[a]),a+=1):($s(i,"gone",e[r]),r+=1);
return i}var xo=s=>s.match(/\s*\S+|\s+$/g)??[];function ma(s,t){let e=Array.from({length:s.length+1},()=>new Array(t.length+1).fill(0));for(let n=s.length-1;n>=
0;n-=1)for(let o=t.length-1;o>=0;o-=1)e[n][o]=s[n]===t[o]?e[n+1][o+1]+1:Math.max(e[n+1][o],e[n][o+1]);return e}function $s(s,t,e){let n=s.at(-1);n?.kind===t?n.text+=
e:s.push({kind:t,text:e})}function St(s,t){return s==null?"–":ga(s)?wa(s,t):ya(s)?_s(s.former,s.text):typeof s=="object"?et(s,t,new Map):m(t,String(s))}function ga(s){return typeof s==
"object"&&s!==null&&typeof s.mark?.text=="string"}function ya(s){let{text:t,former:e}=s??{};return typeof t=="string"&&typeof e=="string"}var ka={new:"ins",gone:"\
del",same:"span"};function _s(s,t){let e=s===t?[]:bo(s,t);return l("span",{class:"nv-changes"},e.length?e.map(({kind:n,text:o})=>l(ka[n],{text:o})):"the same")}
function wa({mark:s,wrong:t},e){let{text:n,start:o,end:i}=s;if(typeof o!="number"||typeof i!="number")return l("span",{class:t?"nv-wrong":""},m(e,n));let r=[n.slice(
0,o),n.slice(o,i),n.slice(i)].map(a=>m(e,a));return l("span",{},r[0],l("mark",{class:"nv-marked"},r[1]),r[2])}function As(s,t,e){if(!Array.isArray(t)||!t.length)
return null;let n=t.map(o=>typeof o=="object"&&o?Object.values(o).join(" · "):String(o));return l("div",{class:"nv-chips",title:s},n.map(o=>l("span",{class:"nv\
-chip",title:o},m(e,o))))}function vo(s,{linker:t}){let e=s.directions??[];return l("div",{class:"nv-directions"},e.map(n=>l("section",{},l("h5",{text:String(n.label??"")}),n.text?l("p",
{},m(t,String(n.text))):null,As("objects",n.objects,t),As("candidates",n.candidates,t))))}var F={width:320,height:220,margin:20,labels:60};function So(s,t){let e=new Map(t.nodes.ids.map((p,u)=>[p,u])),n=s.map((p,u)=>xa(p)??ba(e.get(p.id),t)??va(u,s.length)),
o=n.map(p=>p[0]),i=n.map(p=>p[1]),[r,a]=[Math.min(...o),Math.min(...i)],h=F.width-F.margin-F.labels,c=F.height-2*F.margin,d=Math.min(h/(Math.max(...o)-r||1),c/(Math.
max(...i)-a||1));return new Map(s.map((p,u)=>[p.id,[F.margin+(n[u][0]-r)*d,F.margin+(n[u][1]-a)*d]]))}function xa({x:s,y:t}){return typeof s=="number"&&typeof t==
"number"&&Number.isFinite(s)&&Number.isFinite(t)?[s,-t]:null}function ba(s,t){if(s===void 0)return null;let[e,n]=K(t,s);return t.frame==="geo"?[n*Math.cos(e*Math.
PI/180),-e]:[e,-n]}function va(s,t){let e=2*Math.PI*s/t;return[Math.sin(e),-Math.cos(e)]}function Mo(s,{linker:t,doc:e}){let n=(s.nodes??[]).map(Ma),o=So(n,e),i=y("svg",{viewBox:`0 0 ${F.width} ${F.height}`,class:"nv-graph",role:"img"});for(let c of s.
links??[]){let[d,p]=Array.isArray(c)?c:[c.source??c.from,c.target??c.to],u=o.get(String(d)),f=o.get(String(p));u&&f&&i.append(y("line",{x1:u[0],y1:u[1],x2:f[0],
y2:f[1]}))}let r=(s.way_back??[]).map(c=>o.get(String(c))).filter(c=>c!==void 0);r.length>1&&i.append(y("polyline",{class:"nv-walk-back",points:r.map(c=>c.join(
",")).join(" ")}));for(let c of n)i.append(Ta(c,o.get(c.id)??[0,0],t));let a=Sa(Array.isArray(s.states)?s.states:[],n),h=s.note?l("p",{class:"nv-panel-note",text:String(
s.note)}):null;return a||h?l("div",{},h,i,a):i}function Sa(s,t){let e=s.filter(n=>t.some(o=>o.state===n));return e.length?l("div",{class:"nv-panel-key"},e.map(n=>l(
"span",{},l("i",{class:`nv-key nv-key-${se(n).slice(3)}`}),String(n)))):null}var Ma=s=>typeof s=="object"&&s?{...s,id:String(s.id)}:{id:String(s)};function Ta(s,[
t,e],n){let o=n.tokens.get(s.id),i=y("circle",{cx:t,cy:e,r:s.current?7:5,class:s.chosen||s.current?"nv-chosen":s.visited?"nv-visited":s.frontier?"nv-frontier":""}),
r=y("text",{x:t+8,y:e+4}),a=typeof s.score=="number"?` ${Math.round(s.score*100)/100}`:"";r.textContent=String(s.label??jt(s.id))+a;let h=y("g",{class:[o?"nv-re\
f":"",se(s.state)].filter(Boolean).join(" ")},...La(s,t,e),i,r);if(s.note){let c=y("title",{});c.textContent=`${r.textContent}: ${s.note}`,h.append(c)}return o&&
(h.dataset.ref=o),h}function La({ring:s},t,e){if(typeof s!="number"||!(s>0))return[];let n=9.5,o=2*Math.PI*n,i=y("title");i.textContent=`stop ${Math.round(s*100)/
100}`;let r=`${o*Math.min(s,1)} ${o}`;return[y("circle",{cx:t,cy:e,r:n,class:"nv-ring","stroke-dasharray":r},i)]}function To(s,{linker:t}){let e=Array.isArray(s.items)?s.items:Object.entries(s.items??{});return l("dl",{class:"nv-keyvalue"},e.flatMap(([n,o])=>[l("dt",{},m(t,
String(n))),l("dd",{},St(o,t))]))}function Lo(s,t){let e=t.flatMap(({span:r})=>Array.isArray(r)&&r[0]<r[1]?[r]:[]),n=[...new Map(e.map(r=>[r[0],r])).values()].sort((r,a)=>r[0]-a[0]),o=[],i=0;for(let[
r,a]of n)r<i||(r>i&&o.push({text:s.slice(i,r),start:i,span:null}),o.push({text:s.slice(r,a),start:r,span:[r,a]}),i=a);return i<s.length&&o.push({text:s.slice(i),
start:i,span:null}),o}function Eo({text:s,start:t},e){let n=[],o=t;for(let{relation:i,span:r}of e)!Array.isArray(r)||r[0]<o||r[1]>t+s.length||(r[0]>o&&n.push({text:s.
slice(o-t,r[0]-t),relation:null}),n.push({text:s.slice(r[0]-t,r[1]-t),relation:i}),o=r[1]);return o<t+s.length&&n.push({text:s.slice(o-t),relation:null}),n}var Ea={rules:"by rules",model:"by a model",log:"as the log says",off:"not reordered"};function $o(s,{linker:t}){let e=String(s.original??""),n=s.parts??[],o=s.
relations??[],r=Lo(e,n).map(p=>l("span",{class:p.span?"nv-source":"nv-between",data:p.span?{from:p.span[0]}:{}},Eo(p,o).map(({text:u,relation:f})=>f?l("mark",{class:"\
nv-cue",title:f,text:u}):m(t,u)))),a=n.map(p=>l("li",{class:p.moved?"nv-moved":p.span?"":"nv-added",title:p.moved?"done earlier or later than it is said":p.span?
"":"not in the original",data:p.span?{from:p.span[0]}:{}},(p.words??[[p.text,!1]]).flatMap(([u,f])=>[f?l("em",{class:"nv-fresh",text:u}):m(t,u)," "]))),h=y("svg",
{class:"nv-order-lines","aria-hidden":"true"}),c=l("div",{class:"nv-reordered"},l("div",{class:"nv-order-side"},l("h5",{text:"Original"}),l("p",{},r)),h,l("div",
{class:"nv-order-side"},l("h5",{text:`In order, ${Ea[s.by]??String(s.by??"")}`}),l("ol",{},a)));new ResizeObserver(()=>$a(c,h)).observe(c);let d=o.map(({cue:p,relation:u})=>l(
"span",{class:"nv-chip",text:`${p}: ${u}`}));return l("div",{},c,d.length?l("div",{class:"nv-chips",title:"temporal relations"},d):null)}function $a(s,t){let e=t.
getBoundingClientRect(),n=[...s.querySelectorAll("li[data-from]")].flatMap(o=>{let i=o.dataset.from??"",r=s.querySelector(`.nv-source[data-from="${CSS.escape(i)}\
"]`);if(!r)return[];let[a,h]=[r.getClientRects(),o.getBoundingClientRect()],c=a[a.length-1]??r.getBoundingClientRect(),d=[c.top+c.height/2-e.top,h.top+Math.min(
h.height,20)/2-e.top],p=o.classList.contains("nv-moved")?"nv-order-line nv-moved":"nv-order-line",[u,f]=[e.width,4];return[y("path",{class:p,d:`M0,${d[0]} C${u/
2},${d[0]} ${u/2},${d[1]} ${u-f},${d[1]}`}),y("path",{class:`${p} nv-order-head`,d:`M${u-f-3},${d[1]-f} L${u},${d[1]} L${u-f-3},${d[1]+f}`})]});t.replaceChildren(
...n)}function _o(s,{linker:t}){let e=s.columns??[],n=typeof s.wide=="number"?s.wide:-1,o=l("tr",{},e.filter((h,c)=>c!==n).map(h=>l("th",{},m(t,String(h))))),i=(s.rows??
[]).flatMap((h,c)=>{let d=Array.isArray(h)?h:e.map(g=>h[g]),p=[c===s.chosen?"nv-chosen":"",d[n]?"nv-over":""].filter(Boolean).join(" "),u=d.filter((g,b)=>b!==n).
map(g=>Aa(g,t)),f=l("tr",{class:p||void 0},u);return d[n]?[f,_a(d[n],u.length,p,t)]:[f]}),r=s.note?l("p",{class:"nv-panel-note"},m(t,String(s.note))):null,a=l("\
table",{class:"nv-table"},l("thead",{},o),l("tbody",{},i));return l("div",{},r,l("div",{class:"nv-scroll-x"},a))}function _a(s,t,e,n){let o=l("td",{colspan:t},St(
s,n));return l("tr",{class:e.replace("nv-over","nv-wide")},o)}function Aa(s,t){return typeof s=="number"?l("td",{class:"nv-num",text:tt(s)}):l("td",{},St(s,t))}var Oa=/^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/,Ca=/^#{1,6}\s+(.*)$/,Pa=/^\*\*([^*]+)\*\*:?$/,Ia=/\*\*(.+?)\*\*|`([^`]+)`|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;function he(s){
let t=[],e=null,n=[],o=null,i=()=>{n.length&&t.push({kind:"paragraph",text:n.join(" ")}),n=[]};for(let r of s.split(`
`)){let a=r.trim();if(o){a.startsWith("```")?(t.push({kind:"code",text:o.join(`
`)}),o=null):o.push(r);continue}let h=Oa.exec(r),c=Ca.exec(a)??Pa.exec(a);if(!h&&a&&(e=null),a.startsWith("```"))i(),o=[];else if(c)i(),t.push({kind:"heading",text:c[1].
replaceAll("**","")});else if(h){i();let d=!!h[1];(!e||e.ordered!==d)&&(e={kind:"list",ordered:d,start:Number(h[1]??1),items:[]},t.push(e)),e.items.push(h[2])}else
a?n.push(a):i()}return i(),o&&t.push({kind:"code",text:o.join(`
`)}),t}function ce(s){let t=[],e=0;for(let n of s.matchAll(Ia))n.index>e&&t.push({kind:"text",text:s.slice(e,n.index)}),n[1]?t.push({kind:"strong",text:n[1]}):n[2]?
t.push({kind:"code",text:n[2]}):t.push({kind:"emphasis",text:n[3]}),e=n.index+n[0].length;return e<s.length&&t.push({kind:"text",text:s.slice(e)}),t}function dt(s,t){let e=4*ht,n=l("div",{class:"nv-prose"});for(let o of he(s.slice(0,e)))n.append(Na(o,t));return s.length>e&&Es(n,s.length-e,()=>dt(s.slice(e),t)),
n}function Na(s,t){if(s.kind==="list"){let e=s.items.map(n=>l("li",{},Ao(n,t)));return s.ordered?l("ol",{start:s.start},e):l("ul",{},e)}return s.kind==="code"?l(
"pre",{},m(t,s.text)):l(s.kind==="heading"?"h4":"p",{},Ao(s.text,t))}function Ao(s,t){let e=document.createDocumentFragment();for(let n of ce(s)){let o=n.kind===
"code"?t.letter(n.text):void 0,i=o?R(n.text,o,t):m(t,n.text);n.kind==="text"?e.append(i):e.append(l(n.kind==="strong"?"strong":n.kind==="code"?"code":"em",{},i))}
return e}function Oo(s,{linker:t}){let e=String(s.text??"");return typeof s.former!="string"||s.former===e?dt(e,t):l("p",{},_s(s.former,e))}var Co={bars:wo,directions:vo,graph:Mo,keyvalue:To,reordered:$o,table:_o,text:Oo};function Po(s,t){let e=()=>et(s.data,t.linker,t.folds,`panel.${s.title}`),n=Object.
hasOwn(Co,s.kind)?Co[s.kind]:e,o;try{o=n(s.data,t)}catch{o=e()}return l("section",{class:"nv-panel",data:{kind:s.kind}},o)}var I=Math.PI/180,Io=111320,Ra=1.5,Mt=60,de=s=>((s+180)%360+360)%360-180;function pe(s,t){let e=Math.cos(t*I);return[Math.sin(s*I)*e,Math.cos(s*I)*e,Math.sin(t*
I)]}function ue({heading:s,elevation:t}){let[e,n]=[Math.sin(s*I),Math.cos(s*I)],[o,i]=[Math.sin(t*I),Math.cos(t*I)];return[[n,-e,0],[-e*o,-n*o,i],[e*i,n*i,o]]}var Os=(s,t)=>s[0]*
t[0]+s[1]*t[1]+s[2]*t[2];function fe(s,t,e){let[n,o,i]=ue(s),r=Os(i,e);if(r<1e-6)return null;let a=Math.tan(s.field*I/2);return{x:(Os(n,e)/r/(a*t)+1)/2,y:(1-Os(
o,e)/r/a)/2}}function Ba(s,t,e){let[n,o]=[K(s,t),K(s,e)];return s.frame!=="geo"?[o[0]-n[0],o[1]-n[1],(o[2]??0)-(n[2]??0)]:[(o[1]-n[1])*Io*Math.cos(n[0]*I),(o[0]-
n[0])*Io,0]}function Tt(s,t,e){let[n,o,i]=Ba(s,t,e),r=Math.hypot(n,o);return{heading:(Math.atan2(n,o)/I+360)%360,elevation:Math.atan2(i-Ra,Math.max(r,.1))/I,far:Math.
hypot(r,i)}}function me(s,t){let e=t===void 0?-1:s.reference.indexOf(t),n=e<0?void 0:s.reference[e+1];return typeof n=="number"?n:void 0}function Cs(s){return s.
path.find(e=>e!==s.node)??s.decision?.target}function Lt(s,t){let{node:e}=t;if(typeof e!="number")return[];let[n,o]=[Cs(t),me(s,e)],i=new Map,r=(a,h)=>{if(typeof a!=
"number"||a===e||i.has(a))return;let c=s.nodes.ids[a];i.set(a,{node:a,label:c,state:"other",reference:a===o,...Tt(s,e,a),...h})};for(let a of t.observation?.candidates??
[]){let c={state:a.node===n&&a.state==="offered"?"chosen":a.state,label:a.label??a.direction??(s.nodes.ids[Number(a.node)]||"")};a.heading_deg!==void 0&&(c.heading=
a.heading_deg),r(a.node,c)}return r(n,{state:"chosen"}),r(o,{}),[...i.values()]}var Bo=new Set(["cube","panorama","discrete"]),[za,ja]=[.24,.17],[No,Ro,Wa,Da]=[.03,.97,.12,.92];function zo(s,t){let e=s.views??[];if(!e.length)return null;let n=Lt(
t.doc,s),o=e.find(({kind:r})=>Bo.has(r));if(o&&typeof s.node=="number")return t.look.of(s,o);let i=e.map(r=>jo(r,s,n,t));return i.push(...Ha(s,t)),l("div",{class:`\
nv-seen-pictures nv-of-${Math.min(i.length,3)}`},i)}function Ha(s,t){let{compare:e}=t.doc,n=e?.first_difference===t.step?e.steps[t.step-1]:void 0,[o]=n?.views??
[];if(!e||!n||!o||Bo.has(o.kind))return[];let i={...s,...n,observation:void 0,decision:void 0},r=[e.label,o.label].filter(Boolean).join(": ");return[jo({...o,label:r},
i,Lt(t.doc,i),t)]}function jo(s,t,e,n){let[o]=s.pictures;if(o===null)return null;let i=n.pictures.frame(o),r=s.heading_deg??t.heading_deg,a=i.querySelector("img");
if(a&&r!==void 0&&e.length){let h={heading:r,elevation:s.elevation_deg??0,field:s.field_deg??Mt},c=()=>i.append(...Ga(e,h,a.naturalWidth/a.naturalHeight,n));a.complete?
c():a.addEventListener("load",c,{once:!0})}return a&&(i.title="Click: full size",i.addEventListener("click",()=>n.pictures.open(o))),l("figure",{class:"nv-seen-\
picture"},i,l("figcaption",{text:Fa(s,r)}))}function Fa(s,t){return[s.label,t===void 0?"":`heading ${Math.round(t)}°`,s.elevation_deg?`elevation ${Math.round(s.
elevation_deg)}°`:"",t!==void 0&&s.field_deg===void 0?`field of view taken as ${Mt}°`:""].filter(Boolean).join(" · ")}function Ga(s,t,e,n){let o={left:0,right:0};
return s.map(i=>{let r=fe(t,e,pe(i.heading,i.elevation)),a=de(i.heading-t.heading),h=r!==null&&r.x>=0&&r.x<=1,c=h&&r?Math.min(Ro,Math.max(No,r.x)):a<0?No:Ro,d=h&&
r?Math.min(Da,Math.max(Wa,r.y)):za+ja*o[a<0?"left":"right"]++,p=h?0:a<0?-90:90;return Ua(i,c,d,p,n)})}function Ua(s,t,e,n,o){let i=t>.8?" nv-at-right":t<.2?" nv\
-at-left":"",r=`nv-way nv-way-${s.state}${s.reference?" nv-way-reference":""} nv-ref${i}`,a={chosen:"the agent's way",rejected:"rejected",offered:"offered",other:"\
not offered"},h=`${s.label}: ${a[s.state]}${s.reference?", the reference's way":""}`,c=y("svg",{viewBox:"-12 -12 24 24",style:`rotate:${n}deg`},y("path",{d:"M0-\
11 10 2H4v9h-8V2h-6z"})),d=p=>{p.stopPropagation(),o.map.panTo(`n:${s.node}`)};return l("span",{class:r,title:h,data:{ref:`n:${s.node}`},style:{left:`${100*t}%`,
top:`${100*e}%`},on:{click:d}},c,l("b",{text:s.label.length>18?`${s.label.slice(0,8)}…`:s.label}))}function Wo(s,t){let e=t.doc.pictures?.prompts[s];if(!e)return l(
"span");let n=t.pictures.frame(e.picture,320);n.querySelector("img")&&n.addEventListener("click",()=>t.pictures.open(e.picture));let i=[e.label,e.width&&e.height?
`${e.width} × ${e.height}`:"",e.size_bytes?`${Math.round(e.size_bytes/1e3)} kB`:"",e.detail?`detail ${e.detail}`:"",e.tokens?`about ${e.tokens} tokens`:""];return l(
"figure",{class:"nv-prompt-picture"},n,l("figcaption",{text:i.filter(Boolean).join(" · ")}))}async function Do(s,t){try{await navigator.clipboard.writeText(s)}catch{let e=document.createElement("textarea");e.value=s,e.className="nv-off-screen",t.append(
e),e.select(),document.execCommand("copy"),e.remove()}t.dataset.done="true",setTimeout(()=>delete t.dataset.done,1200)}var Z=s=>l("p",{class:"nv-nothing",text:s}),ge=class{constructor(t,e){this.player=t,this.folds=e,this.raw=!1}get linker(){return this.player.linker}thoughts(t,e){
let n=this.each(t,"thoughts",o=>o.thoughts===void 0?Z("This call has no thoughts."):dt(this.player.text(o.thoughts),this.linker));return e.thoughts?n.append(l("\
div",{class:"nv-streaming"},dt(e.thoughts,this.linker))):t.length||n.append(Z(this.waiting()?"Waiting for the model.":this.unasked())),n}prompts(t){return t.length?
this.each(t,"prompt",e=>{let n=e.messages.length>1;return!n&&!e.messages.length?Z("The log does not hold this prompt."):l("div",{},e.messages.map(o=>this.message(
o,n)))}):Z(this.unasked())}replies(t,e){let n=this.each(t,"reply",o=>o.reply===void 0?Z(o.error??"There is no reply."):this.code(this.player.text(o.reply)));return e.
reply?n.append(l("div",{class:"nv-streaming"},this.code(e.reply))):t.length||n.append(Z(this.unasked())),n}waiting(){return this.player.doc.running&&this.player.
atEnd}unasked(){return this.player.doc.unlogged??"No model was asked in this step."}each(t,e,n){let o=t.length>1||t[0]?.purpose!=="decide";return l("div",{},t.map(
i=>{let r=this.rawText(i,e),a=this.raw&&r?l("pre",{class:"nv-raw"},m(this.linker,r)):n(i);return l("section",{class:"nv-call"},this.callHead(i,o,r),a)}))}rawPart([
t,e]){if(t!=="picture")return this.player.text(e);let{pictures:n}=this.player.doc,o=n?.prompts[e];return`[picture: ${o?n.all[o.picture].name:"unknown"}]
`}rawText(t,e){if(e==="thoughts")return t.thoughts===void 0?"":this.player.text(t.thoughts);if(e==="reply")return t.reply===void 0?"":this.player.text(t.reply);
let n=t.messages.map(({parts:o})=>o.map(i=>this.rawPart(i)).join(""));return n.length<2?n[0]??"":n.map((o,i)=>`${t.messages[i].role}:
${o}`).join(`

`)}callHead(t,e,n){let{usage:o}=t,i=qa(o);return l("div",{class:"nv-call-head"},e?l("b",{text:t.purpose}):null,t.model?l("span",{text:t.model}):null,i?l("span",
{title:"tokens of prompt, thoughts and reply",text:i}):null,t.seconds===void 0?null:l("span",{text:zt(t.seconds)}),t.cost_usd===void 0?null:l("span",{text:Va(t)}),
t.retries?l("span",{class:"nv-flag nv-warn",text:W(t.retries,"retry","retries")}):null,t.error?l("span",{class:"nv-flag nv-bad",text:t.error}):null,t.parse_error?
l("span",{class:"nv-flag nv-bad",text:t.parse_error}):null,n?this.rawTools(n):null)}rawTools(t){let e={mousedown:k,click:()=>this.toggleRaw()},n=this.raw?"Show \
it set in type":"Show it as it was sent or came back",o=l("button",{type:"button",class:"nv-small",text:this.raw?"set":"raw",title:n,"aria-pressed":String(this.
raw),on:e,data:{call:"raw"}}),i=_("copy","Copy the text",()=>Do(t,i),{call:"copy"});return l("span",{class:"nv-raw-tools"},o,i)}toggleRaw(){this.raw=!this.raw,this.
player.repaintPane()}showRaw(){this.raw||this.toggleRaw()}message(t,e){let n=l("div",{class:"nv-message"},e?l("div",{class:"nv-role",text:t.role}):null),o=n;for(let[
i,r]of t.parts){if(i==="picture"){o.append(Wo(r,this.player));continue}let a=this.player.text(r);i==="heading"?(o=l("div",{class:"nv-part-body"}),n.append(this.
heading(a.trim(),o))):i!=="fence"&&o.append(this.part(i,a))}return n}heading(t,e){let n=`part.${t}`,o=t.replace(/^\[(.*)\]$/s,"$1").replace(/^#+\s*/,""),i=l("su\
mmary",{text:o});return Rt({class:"nv-part"},i,e,this.folds.get(n)??!0,r=>this.folds.set(n,r))}part(t,e){let n=t==="json"?fo(e):null;if(n)return l("div",{class:"\
nv-json"},et(n.value,this.linker,this.folds,"prompt"));let o=e.replace(/\n+$/,`
`).replace(/^\n+/,"");return l("pre",{class:t==="text"?"nv-plain":"nv-code"},m(this.linker,o))}code(t){return l("pre",{class:"nv-code"},m(this.linker,t))}};function qa(s){
let t={prompt:s?.prompt_tokens,thoughts:s?.thoughts_tokens,reply:s?.output_tokens};return Object.entries(t).filter(([,n])=>n!=null).map(([n,o])=>`${C(o)} ${n}`).
join(" · ")}function Va(s){return s.list_price?`${ot(s.cost_usd)} list price`:ot(s.cost_usd)}function Ho(s,t,e){let n=zo(s,t),o=s.observation;if(!o)return n??Z("The log does not say what the agent was shown.");let i=[o.format,W(o.visible.length,"node","\
nodes"),W(o.pois.length,"landmark","landmarks")],r=s.calls.length?"As it stood in the prompt":"In words";return l("div",{},n,l("div",{class:"nv-call-head"},i.map(
a=>l("span",{text:a}))),o.pois.length?Ka(o.pois,t.linker):null,o.candidates.length?Xa(o.candidates,t):null,o.text?l("h4",{text:r}):null,(o.text??[]).filter(([a])=>a!==
"fence").map(([a,h])=>e.part(a,t.text(h))))}function Ka(s,t){let e=s.map(n=>{let o=$(n.name);return l("tr",{},l("td",{},n.letter?R(n.letter,o,t):""),l("td",{},R(
n.name,o,t)),l("td",{text:Fo(n.position??n.direction)}),l("td",{class:"nv-num",text:M(n.distance_m)}))});return l("table",{class:"nv-table"},l("tbody",{},e))}function Xa(s,t){
let e=s.map(n=>l("tr",{class:`nv-cand-${n.state}`},l("td",{},l("span",{class:`nv-cand nv-cand-${n.state}`,title:n.state})),l("td",{},t.nodeMark(n.node),n.label?
` ${n.label}`:""),l("td",{text:Fo(n.direction)}),l("td",{class:"nv-num",text:Za(n)}),l("td",{},n.reason?m(t.linker,n.reason):"")));return l("table",{class:"nv-t\
able"},l("tbody",{},e))}var Fo=s=>(s??"").replace(/^(left|right) ([\d.]+)$/,"$1 $2°");function Za(s){return s.score!==void 0?C(s.score,3):s.distance_m===void 0?
"":M(s.distance_m)}var Ya={none:"todo",now:"doing",reached:"done",missed:"missed",cut:"missed"};function Go(s,t){let{tasks:e}=s.doc.episode,{stages:n}=s.doc,o=Ht(n,t),i=e.map((a,h)=>tl(
s,a,h,n[h],t)),r=l("ol",{class:"nv-plan nv-tasks"},i);return o>=0&&queueMicrotask(()=>Ja(r,i[o])),l("section",{class:"nv-plan-box nv-tasks-box"},l("h3",{text:`T\
ask in ${e.length} parts`}),r)}function Ja(s,t){le(s,t);let e=s.closest(".nv-pane-top");if(!e)return;let[n,o]=[t.getBoundingClientRect(),e.getBoundingClientRect()];
n.bottom>o.bottom?e.scrollTop+=Math.min(n.bottom-o.bottom,n.top-o.top):n.top<o.top&&(e.scrollTop-=o.top-n.top)}function Qa(s,t){return!s||s.first===void 0||s.last===
void 0?{state:"none",said:s?.status??""}:t<s.first?{state:"none",said:"to come"}:t<s.last||s.state==="now"?{state:"now",said:"now"}:{state:s.state,said:s.status}}
function tl(s,t,e,n,o){let{state:i,said:r}=Qa(n,o),a=i==="now",h=`nv-task nv-${Ya[i]}${a?" nv-current":""}`,c={"--nv-stage":`var(--nv-${V(e)})`},d=n!==void 0&&i!==
"none"&&!a;return l("li",{class:h,style:c,data:{stage:e+1},title:`Part ${e+1}: ${r}`,on:{click:()=>s.toStage(e)}},l("span",{class:"nv-stage-number",text:String(
e+1)}),l("span",{class:"nv-what"},m(s.linker,t.description),t.region?l("span",{class:"nv-then",text:` ${t.region}`}):null,t.actions.length?l("span",{class:"nv-t\
hen",text:`, then ${t.actions.join(", ")}`}):null),l("span",{class:"nv-said",text:d&&n?`${r}${el(n)}`:r}))}function el({state:s,moves:t,reference_moves:e,nearest_m:n}){
let o=e===void 0?"":` of ${tt(e)}`,i=t===void 0?"":` · ${tt(t)}${o} steps`,r=n===void 0||s==="reached"?"":` · nearest ${M(n)}`;return`${i}${r}`}var Ps={TODO:["todo","to do"],IN_PROGRESS:["doing","in progress"],COMPLETED:["done","completed"],SKIPPED:["skipped","skipped"]},ye=class{constructor(t){this.player=
t}sections(t){let e=this.player.doc.stages.length?Go(this.player,this.player.step):null;return[this.instruction(),e,this.plan(t),t?this.decision(t):this.hint()].
filter(o=>o!==null)}instruction(){let{doc:t,linker:e}=this.player,n=t.episode.instruction||"This episode has no instruction.";return l("section",{class:"nv-inst\
ruction"},l("h3",{text:"Instruction"}),l("p",{},m(e,n)))}plan(t){let{doc:e,atEnd:n}=this.player,o=n&&!e.running?e.end?.plan:void 0,i=t?.plan??(o?.length?o:e.planning.
sub_goals);if(!i.length&&(e.stages.length||!e.episode.tasks.length))return null;let r=t?.sub_goal,a=i.length?i.map(([c,d,p],u)=>this.subGoal(u,this.player.text(
c),d,p,r)):e.episode.tasks.map((c,d)=>this.subGoal(d,c.description,"TODO",null,r)),h=l("ol",{class:"nv-plan"},a);return r!==void 0&&queueMicrotask(()=>le(h,a[r])),
l("section",{class:"nv-plan-box"},l("h3",{text:i.length?"Plan":"Tasks"}),h)}subGoal(t,e,n,o,i){let[r,a]=Ps[n]??Ps.TODO,h=`nv-${r}${t===i?" nv-current":""}`,c={click:()=>this.
player.toSubGoal(t)},{doc:d}=this.player,p=O(d,ms(d.steps,t)),u=d.skills?.[ms(d.steps,t)??-1]?.name;return l("li",{class:h,title:`Sub-goal ${t+1}: ${a}`,on:c},l(
"span",{class:"nv-state","aria-label":a,role:"img"}),p?l("i",{class:"nv-swatch",title:u??"",style:{"background-color":p}}):null,l("span",{class:"nv-what"},m(this.
player.linker,e)),o?l("span",{class:"nv-try",title:`try ${o} of this sub-goal`,text:`try ${o}`}):null)}hint(){let{doc:t}=this.player,e="This run has no steps.";
return t.steps.length?e="Before the first step. Press → or space.":t.running&&(e="The run is starting."),l("section",{class:"nv-decision nv-mute"},l("p",{text:e}))}decision(t){
let e=t.decision,n=this.player.doc.divergence?.step===this.player.step,o=[e&&!e.legal?l("span",{class:"nv-flag nv-bad",text:"illegal"}):null,t.retries?l("span",
{class:"nv-flag nv-warn",text:W(t.retries,"retry","retries")}):null,e?.stop?l("span",{class:"nv-flag",text:"stops"}):null,n?l("span",{class:"nv-flag nv-warn",text:"\
leaves the route"}):null];return l("section",{class:"nv-decision"},l("h3",{},"Decision",o),l("p",{class:"nv-where"},this.move(t)),e?.reason?l("p",{class:"nv-rea\
son"},m(this.player.linker,e.reason)):null)}move(t){let{doc:e,atEnd:n}=this.player,o=this.player.nodeMark(t.node),i=t.decision;if(!i){let a=t.path.length>0;return[
e.running&&n?"deciding at ":a?"walked from ":"at ",o,...a?[" to ",this.player.nodeMark(t.path.at(-1))]:[]]}let r=t.path.length-1;return[o,l("span",{class:"nv-ar\
row",text:" → "}),i.target_id?this.player.nodeMark(i.target,i.target_id):l("span",{class:"nv-mute",text:sl(i)}),i.sub_goal_status?this.verdict(i.sub_goal_status):
null,...r>0?[" ",l("span",{class:"nv-hops nv-mute",text:W(r,"link","links")})]:[]]}verdict(t){let[e,n]=Ps[t]??["todo",t];return l("span",{class:`nv-verdict nv-${e}`,
text:n})}};function sl({action:s,stop:t}){return s?s.replaceAll("_"," ")+(t&&s!=="stop"?", stop":""):t?"stop":"no place named"}function Uo(s,t,e){return t===void 0?
l("span",{class:"nv-mute",text:"an unknown place (hole in the log)"}):typeof t=="number"?R(e??s.nodes.ids[t],`n:${t}`):l("span",{class:"nv-foreign",title:"This \
id is not in the graph.",text:e??t})}var nl=30,ke=class{constructor(t,e){this.player=t,this.folds=new Map,this.tab=t.options.tab??(t.pictures.any?"seen":"thoughts"),this.chosen=!1,this.shown=null,this.
top=l("div",{class:"nv-pane-top"}),this.split=l("div",{class:"nv-split nv-split-row"}),this.tabs=l("div",{class:"nv-tabs",role:"tablist"}),this.body=l("div",{class:"\
nv-tab-body",role:"tabpanel",tabindex:-1}),e.append(this.top,this.split,this.tabs,this.body),this.topView=new ye(t),this.calls=new ge(t,this.folds)}show(t){let{
doc:e}=this.player,n=t??e.planning,{body:o}=this,i=e.running&&o.scrollHeight-o.scrollTop-o.clientHeight<nl,r=o.scrollTop;this.top.replaceChildren(...this.topView.
sections(t));let a=this.tabList(n,t),h=a.find(p=>p.key===this.tab)??a[0],c=h.empty&&!this.chosen?a.find(p=>!p.empty)??h:h;this.tabs.replaceChildren(...a.map(p=>this.
tabButton(p,p===c)));let d=this.shown===c.key;this.shown=c.key,o.replaceChildren(c.draw()),this.player.look.box.isConnected||this.player.look.leave(),i&&d?o.scrollTop=
o.scrollHeight:r&&!(d&&(c.key==="prompt"||e.running))&&(o.scrollTop=0)}open(t){this.tab=t,this.chosen=!0,this.player.phone.open("text"),this.player.repaintPane()}tabList(t,e){
let{calls:n}=t,o=this.player.atEnd?this.player.doc.streaming:{},r=[{key:"thoughts",name:"Thoughts",empty:!n.some(h=>h.thoughts!==void 0)&&!o.thoughts,draw:()=>this.
calls.thoughts(n,o)},{key:"prompt",name:"Prompt",empty:!n.length,draw:()=>this.calls.prompts(n)},{key:"reply",name:"Reply",empty:!n.length&&!o.reply,draw:()=>this.
calls.replies(n,o)}];e&&r.push({key:"seen",name:"Seen",empty:!e.observation&&!e.views?.length,draw:()=>Ho(e,this.player,this.calls)});let a={linker:this.player.
linker,doc:this.player.doc,folds:this.folds,step:this.player.step,go:h=>this.player.go(h)};for(let h of t.panels)r.push({key:`panel:${h.title}`,name:h.title,empty:!1,
draw:()=>Po(h,a)});return r}tabButton(t,e){return l("button",{class:`nv-tab${e?" nv-open":""}${t.empty?" nv-empty":""}`,role:"tab",type:"button","aria-selected":String(
e),title:t.name,text:t.name,data:{tab:t.key},on:{mousedown:k,click:()=>this.open(t.key)}})}scrollTo(t){let e=this.body.querySelector(`[data-ref="${CSS.escape(t)}\
"]`);e&&this.scrollToElement(e)}scrollToElement(t){let e=t.getBoundingClientRect().top-this.body.getBoundingClientRect().top+this.body.scrollTop;this.body.scrollTo(
{top:e-60,behavior:"smooth"})}};var ol=512,qo=1024,il=4096,rl=[1,0,0,0,0,1,0,-1,0],Is=4286611584;async function Vo(s,t){let e=s.kind==="panorama"||s.pictures.length===1?il:qo,n=s.pictures.map(
i=>i===null?null:t(i,e));await Promise.all(n.map(i=>i?.decode().catch(()=>{})));let o=n.map(i=>i?.naturalWidth?i:null);return o.some(Boolean)?s.kind==="cube"?al(
o,s.rotation??[1,0,0,0,1,0,0,0,1]):s.kind==="panorama"?hl(we(o[0]),s.heading_deg??0):cl(o.map(i=>i&&we(i)),s.field_deg??Mt):null}function we(s,t,e){let[n,o,i,r]=t??
[0,0,s?.naturalWidth??1,s?.naturalHeight??1],[a,h]=e?[e,e]:[i,r],d=new OffscreenCanvas(a,h).getContext("2d",{willReadFrequently:!0});return s&&d.drawImage(s,n,o,
i,r,0,0,a,h),{width:a,height:h,at:new Uint32Array(d.getImageData(0,0,a,h).data.buffer)}}function al(s,t){let e=s.length===1?s[0]:null,n=e?.naturalHeight??Math.max(
...s.map(h=>h?.naturalHeight??0)),o=Math.min(n,qo),i=[0,1,2,3,4,5].map(h=>e?we(e,[h*n,0,n,n],o):we(s[h],[0,0,s[h]?.naturalWidth??1,s[h]?.naturalHeight??1],o)),r=t,
a=[-r[0],-r[3],-r[6],-r[1],-r[4],-r[7],-r[2],-r[5],-r[8]];return{size:o,faces:i.map(({at:h})=>h),turn:a}}function Ko(s){let t=ol,e=Array.from({length:6},(n,o)=>{
let i=new Uint32Array(t*t);for(let r=0;r<t;r++){let a=2*(r+.5)/t-1;for(let h=0;h<t;h++){let[c,d,p]=ll(o,2*(h+.5)/t-1,a);i[r*t+h]=s(c,-p,d)}}return i});return{size:t,
faces:e,turn:rl}}function ll(s,t,e){return s===0?[t,1,e]:s===1?[t,-e,1]:s===2?[1,-e,-t]:s===3?[-t,-e,-1]:s===4?[-1,-e,t]:[t,-1,-e]}function hl({width:s,height:t,
at:e},n){let o=n*Math.PI/180;return Ko((i,r,a)=>{let h=(Math.atan2(i,r)-o)/(2*Math.PI)+.5,c=Math.floor((h-Math.floor(h))*s),d=Math.floor((.5-Math.atan2(a,Math.hypot(
i,r))/Math.PI)*t);return e[Math.min(t-1,Math.max(0,d))*s+Math.min(c,s-1)]})}function cl(s,t){let e=Math.tan(t*Math.PI/360),n=s.map((o,i)=>ue({heading:30*(i%12),
elevation:30*(Math.floor(i/12)-1),field:t}));return Ko((o,i,r)=>{let a=Math.round(Math.atan2(o,i)*6/Math.PI+12)%12,h=Math.atan2(r,Math.hypot(o,i))*180/Math.PI,d=12*
(h<-15?0:h>15?2:1)+a,p=s[d]??s[12+a];if(!p)return Is;let[u,f,g]=n[s[d]?d:12+a],b=g[0]*o+g[1]*i+g[2]*r;if(b<=0)return Is;let v=(u[0]*o+u[1]*i+u[2]*r)/b/(e*(p.width/
p.height)),S=(f[0]*o+f[1]*i+f[2]*r)/b/e;if(v<=-1||v>=1||S<=-1||S>=1)return Is;let T=Math.floor((v+1)/2*p.width);return p.at[Math.floor((1-S)/2*p.height)*p.width+
T]})}function Xo({size:s,faces:t,turn:e},n,o,i,r){let a=Math.tan(n.field*Math.PI/360),[h,c,d]=ue(n).map(([b,v,S])=>[0,3,6].map(T=>e[T]*b+e[T+1]*v+e[T+2]*S)),p=2*
a/i*1,u=s/2,f=s-1,g=0;for(let b=0;b<i;b++){let v=a-(b+.5)*p,S=(.5-o/2)*p,T=d[0]+c[0]*v+h[0]*S,E=d[1]+c[1]*v+h[1]*S,A=d[2]+c[2]*v+h[2]*S,[j,as,gt]=[h[0]*p,h[1]*p,
h[2]*p];for(let Ot=0;Ot<o;Ot++){let[ls,hs,cs]=[T<0?-T:T,E<0?-E:E,A<0?-A:A],Ct=0,Pt=0,It=0,Nt=hs;ls>=hs&&ls>=cs?(Nt=ls,Ct=T>0?2:4,Pt=T>0?-A:A,It=-E):hs>=cs?(Ct=E>
0?0:5,Pt=T,It=E>0?A:-A):(Nt=cs,Ct=A>0?1:3,Pt=A>0?T:-T,It=-E);let qi=(Pt/Nt+1)*u|0,Vi=(It/Nt+1)*u|0;r[g++]=t[Ct][Math.min(Vi,f)*s+Math.min(qi,f)],T+=j,E+=as,A+=gt}}}var dl=8,pl=8,ul=96,Zo=160,fl=512,ml=1280,gl=1500,xe=class{constructor(t){this.player=t,this.kept=new Map}get held(){return this.player.doc.pictures}get size(){
return this.player.root.clientWidth>gl||devicePixelRatio>1?ml:fl}get any(){return this.player.doc.steps.some(({views:t})=>t?.length)}url(t,e){let n=this.held?.all[t];
return!n||n.fault?null:n.data?n.data:this.held?.at?`${this.held.at}/${t}${e?`?size=${e}`:""}`:null}image(t,e){let n=this.url(t,e);if(!n)return null;let o=this.kept.
get(n)??this.asked(n);this.kept.delete(n),this.kept.set(n,o);for(let[i]of this.kept){if(this.kept.size<=ul)break;this.kept.delete(i)}return o}asked(t){let e=l("\
img",{alt:"",draggable:"false"});return e.decoding="sync",e.src=t,e.decode().catch(()=>{}),e}ahead(t){if(!this.held)return;let{steps:e}=this.player.doc,n=Math.min(
e.length,t+dl);for(let o=Math.max(1,t-pl);o<=n;o++)for(let i of e[o-1].views??[]){if(i.kind!=="picture"&&i.kind!=="frame")continue;let[r]=i.pictures;r!==null&&this.
image(r,this.size)}}frame(t,e=this.size){let n=this.held?.all[t],o=this.image(t,e),i=n?.name??"";if(!o)return l("div",{class:"nv-picture"},Ns(i,n?.fault));o.alt=
i;let r=l("div",{class:"nv-picture"},o);return o.onerror=()=>this.explain(r,t),o.complete&&!o.naturalWidth&&this.explain(r,t),r}async explain(t,e){let n=this.held?.
all[e]?.name??"",o=this.url(e);if(t.replaceChildren(Ns(n,"This picture cannot be shown.")),!o||o.startsWith("data:"))return;let i=await fetch(o).catch(()=>null),
r=i&&!i.ok?await i.text():"";r&&t.replaceChildren(Ns(n,r))}open(t){let e=l("img",{src:this.url(t)??"",alt:this.held?.all[t]?.name??""}),n=l("p",{text:this.held?.
all[t]?.name??""}),o=l("dialog",{class:"nv-picture-whole","aria-label":"Picture in full size"},e,n);o.addEventListener("click",()=>o.close()),o.addEventListener(
"close",()=>o.remove()),this.player.root.append(o),o.showModal()}};function Ns(s,t){return l("div",{class:"nv-picture-missing"},l("code",{text:s}),l("span",{text:t??
"This picture is not in the opened folders."}))}function be(s,t){if(s.kind==="discrete"){let e=12+Math.round((t%360+360)%360/30)%12;return s.pictures[e]??s.pictures.
find(n=>n!==null)??null}return s.kind==="cube"&&s.pictures.length===6?s.pictures[Yo(s,t)]:s.pictures[0]??null}function ve(s,t,{naturalWidth:e,naturalHeight:n}){
return s.kind!=="cube"||s.pictures.length===6?[0,0,e,n]:[Yo(s,t)*n,0,n,n]}function Yo({rotation:s},t){let e=s??[1,0,0,0,1,0,0,0,1],[n,o]=[Math.sin(t*Math.PI/180),
Math.cos(t*Math.PI/180)],[i,,r]=[0,1,2].map(a=>-(e[a]*n+e[3+a]*o));return Math.abs(i)>Math.abs(r)?i>0?2:4:r>0?1:3}var B=640,G=360,Rs=62,Se=10,Jo=-10,Me=.42,Qo=70,yl=75,kl=120,wl=3,xl=4,Te=class{constructor(t){this.player=t,this.canvas=l("canvas",{width:B,height:G,tabindex:0,
"aria-label":"Look around"}),this.context=this.canvas.getContext("2d"),this.frame=this.context.createImageData(B,G),this.out=new Uint32Array(this.frame.data.buffer),
this.words=l("figcaption"),this.back=_("first","Back to the agent (escape)",()=>this.home(),{look:"back"}),this.box=l("figure",{class:"nv-look"},this.canvas,this.
words,this.back),this.heading=0,this.elevation=0,this.node=null,this.step=null,this.away=!1,this.cube=null,this.cubes=new Map,this.discs=[],this.turn=0,this.drawn=
0,this.listen()}of(t,e){return(t!==this.step||this.away)&&(this.step=t,this.away=!1,this.elevation=Jo,this.heading=this.towards(t),this.stand(t.node,e)),this.box}towards(t){
let{doc:e}=this.player,n=t.node,o=Cs(t),i=me(e,n),r=typeof o=="number"&&o!==n?Tt(e,n,o).heading:void 0,a=i===void 0?void 0:Tt(e,n,i).heading;if(r!==void 0&&a!==
void 0){let h=de(a-r);return Math.abs(h)<=yl?r+h/2:r}return r??t.heading_deg??a??0}stand(t,e){this.node=t,this.cube=null;let n=++this.turn;this.plain(e),setTimeout(
()=>this.take(n,e),this.cubes.has(e)?0:kl),this.tell()}async take(t,e){if(t!==this.turn||!this.box.isConnected)return;let{pictures:n}=this.player,o=this.cubes.get(
e)??Vo(e,(r,a)=>n.image(r,a));this.cubes.set(e,o);for(let[r]of this.cubes){if(this.cubes.size<=wl)break;this.cubes.delete(r)}let i=await o;t===this.turn&&(this.
cube=i,this.box.dataset.around=String(i!==null),this.draw())}plain(t){let{pictures:e}=this.player,n=be(t,this.heading),o=n===null?null:e.image(n,e.size),{turn:i}=this,
r=()=>{if(i!==this.turn||this.cube||!o?.naturalWidth)return;let[a,h,c,d]=ve(t,this.heading,o),p=Math.max(B/c,G/d),[u,f]=[c*p,d*p];this.context.drawImage(o,a,h,c,
d,(B-u)/2,(G-f)/2,u,f)};this.context.fillStyle=this.player.colors.get("mute"),this.context.fillRect(0,0,B,G),o?.complete?r():o?.addEventListener("load",r,{once:!0})}soon(){
cancelAnimationFrame(this.drawn),this.drawn=requestAnimationFrame(()=>this.draw())}get camera(){return{heading:this.heading,elevation:this.elevation,field:Rs}}draw(){
if(this.cube){Xo(this.cube,this.camera,B,G,this.out),this.context.putImageData(this.frame,0,0),this.discs=this.ways().flatMap(t=>this.disc(t));for(let t of this.
discs)this.drawDisc(t);this.box.dataset.heading=String(Math.round((this.heading%360+360)%360)),this.tell()}}ways(){let{doc:t}=this.player,{node:e,step:n}=this;if(e===
null)return[];let o=this.away||!n?[]:Lt(t,n),i=new Set(o.map(a=>a.node)),r=me(t,e);for(let a of bt(t.links).get(e)??[]){if(i.has(a))continue;let h=t.nodes.ids[a];
o.push({node:a,label:h,state:"other",reference:a===r,...Tt(t,e,a)})}return o}disc(t){let e=fe(this.camera,B/G,pe(t.heading,t.elevation));if(!e||e.x<-.05||e.x>1.05||
e.y<0)return[];let n=Math.min(46,Math.max(9,90/Math.max(t.far,.5)));return[{way:t,x:e.x*B,y:Math.min(e.y*G,G-n*Me-2),radius:n}]}drawDisc({way:t,x:e,y:n,radius:o}){
let{context:i,player:r}=this,a=t.state==="chosen"?"agent":t.reference?"reference":"rejected",h=r.colors.get(a);if(i.beginPath(),i.ellipse(e,n,o,o*Me,0,0,2*Math.
PI),i.globalAlpha=a==="rejected"?.45:.75,i.fillStyle=h,i.fill(),i.globalAlpha=1,i.lineWidth=t.reference&&t.state==="chosen"?4:2,i.strokeStyle=t.reference&&t.state===
"chosen"?r.colors.get("reference"):r.colors.get("paper"),i.stroke(),a==="rejected")return;let c=t.state==="chosen"?t.reference?"agent, reference":"agent":"refer\
ence";this.write(c,e,n-o*Me-7,h)}write(t,e,n,o){let{context:i}=this;i.font='600 16px "Source Sans", system-ui, sans-serif',i.textAlign="center",i.lineWidth=4,i.
strokeStyle=this.player.colors.get("paper"),i.strokeText(t,e,n),i.fillStyle=o,i.fillText(t,e,n)}tell(){let{player:t,node:e}=this,n=Math.round((this.heading%360+
360)%360),o=this.away?"You, not the agent (escape returns)":"Where the agent stands";this.words.textContent=`${o} · heading ${n}° · drag to look around, click \
a disc to walk there`,this.box.classList.toggle("nv-away",this.away),this.back.hidden=!this.away,e!==null&&t.map.cone?.({node:e,heading:this.heading,field:Rs*(B/
G)})}leave(){this.node!==null&&(this.node=null,this.step=null,this.turn++,this.player.map.cone?.(null))}look(t,e){this.heading+=t,this.elevation=Math.max(-Qo,Math.
min(Qo,this.elevation+e)),this.soon()}walk(t){let e=this.player.doc.pictures?.places.find(n=>n.node===t)?.view;if(!e){this.words.textContent="There is no pictur\
e of that place.";return}this.away=t!==this.step?.node,this.stand(t,e)}home(){let{step:t}=this,e=t?.views?.[0];!t||!e||(this.away=!1,this.elevation=Jo,this.heading=
this.towards(t),this.stand(t.node,e))}listen(){let{canvas:t}=this,[e,n,o]=[0,0,0];t.addEventListener("pointerdown",i=>{[e,n,o]=[i.clientX,i.clientY,0],t.setPointerCapture(
i.pointerId)}),t.addEventListener("pointermove",i=>{if(!t.hasPointerCapture(i.pointerId)){this.point(this.discAt(i));return}let[r,a]=[i.clientX-e,i.clientY-n];[
e,n,o]=[i.clientX,i.clientY,o+Math.abs(r)+Math.abs(a)];let h=Rs/t.clientHeight;this.look(-r*h,a*h)}),t.addEventListener("pointerup",i=>{let r=o<xl?this.discAt(i):
null;r&&this.walk(r.way.node)}),t.addEventListener("pointerleave",()=>this.point(null)),t.addEventListener("keydown",i=>this.onKey(i))}discAt({offsetX:t,offsetY:e}){
let n=B/this.canvas.clientWidth,[o,i]=[t*n,e*n],r=a=>((o-a.x)/(a.radius+6))**2+((i-a.y)/(a.radius*Me+10))**2;return this.discs.filter(a=>r(a)<=1).sort((a,h)=>r(
a)-r(h))[0]??null}point(t){let e=t?[`n:${t.way.node}`]:[];this.canvas.style.cursor=t?"pointer":"grab",this.canvas.title=t?.way.label??"",this.player.lightText(e),
this.player.map.highlight(e)}onKey(t){let n={ArrowLeft:()=>this.look(-Se,0),ArrowRight:()=>this.look(Se,0),ArrowUp:()=>this.look(0,Se),ArrowDown:()=>this.look(0,
-Se),Enter:()=>this.walkAhead(),Escape:()=>this.escape()}[t.key];!n||t.ctrlKey||t.metaKey||t.altKey||(t.preventDefault(),t.stopPropagation(),n())}walkAhead(){let t=({
x:n})=>Math.abs(n-B/2),e=[...this.discs].sort((n,o)=>t(n)-t(o))[0];e&&this.walk(e.way.node)}escape(){this.away?this.home():this.canvas.blur()}};var bl=40,vl=60,Le=class{constructor(t,e){this.player=t,this.box=e,this.cells=[],this.every=0,this.preview=l("div",{class:"nv-strip-preview",hidden:!0}),this.build();
let n=new ResizeObserver(()=>this.fit());n.observe(e),t.stopped.signal.addEventListener("abort",()=>n.disconnect())}build(){this.box.hidden=!this.player.pictures.
any,this.every=0,this.fit()}fit(){if(this.box.hidden)return;let{count:t}=this.player,e=this.box.clientWidth/(t+1),n=Math.max(1,Math.ceil(bl/Math.max(e,.01)));if(n!==
this.every){this.every=n,this.cells=[];for(let o=1;o<=t;o+=n)this.add(o,e*n);this.box.replaceChildren(...this.cells.map(({cell:o})=>o),this.preview),this.show(this.
player.step)}}add(t,e){let{doc:n,pictures:o,count:i}=this.player,r=n.steps[t-1],a=r.views?.[0];if(!a)return;let h=a.heading_deg??r.heading_deg??0,c=be(a,h);if(c===
null)return;let d=o.url(c,Zo),p=d?l("img",{src:d,alt:"",loading:"lazy",draggable:"false"}):null;p?.addEventListener("error",()=>p.remove()),p?.addEventListener(
"load",()=>{let[b,,v]=ve(a,h,p),S=p.naturalWidth-v;S>0&&(p.style.objectPosition=`${100*b/S}% 50%`)});let u={click:()=>this.player.jump(t),mouseenter:()=>this.enlarge(
t,c),mouseleave:()=>{this.preview.hidden=!0}},f={left:`${100*(t+.5)/(i+1)}%`,width:`${Math.min(vl,Math.max(e-2,24))}px`},g=l("div",{class:"nv-strip-cell",title:`\
Step ${t}`,data:{step:t},style:f,on:u},p);this.cells.push({step:t,cell:g})}enlarge(t,e){let n=this.player.pictures.url(e,512);if(!n)return;let o=100*(t+.5)/(this.
player.count+1);this.preview.replaceChildren(l("img",{src:n,alt:""}),l("span",{text:`Step ${t}`})),this.preview.style.left=`${Math.min(86,Math.max(14,o))}%`,this.
preview.hidden=!1}show(t){let e=this.cells.findLast(n=>n.step<=t);for(let{step:n,cell:o}of this.cells)o.classList.toggle("nv-now",n===e?.step&&t>0)}};function ti(){let s=new URLSearchParams(location.search);return[location.pathname,s.get("run"),s.get("episode")].join(" ")}function ei(s){let{causes:t,divergence:e}=s;
return(t?.leading===void 0?void 0:t.all[t.leading].step)??e?.step}var Ee=class{constructor(t){this.player=t,this.place=ti(),this.written=0,this.waiting=void 0}get on(){
return this.player.options.deepLink!==!1}start(){let{doc:t,count:e}=this.player;if(t.running)return e;let n=this.named();return Math.min(n??(this.atCause?ei(t):
void 0)??1,e)}named(){let t=(this.on?this.told():null)??this.player.options.step??"";return/^\d+$/.test(String(t))?Number(t):void 0}get atCause(){let{doc:t,options:e}=this.
player;return e.start==="cause"&&!t.running&&this.named()===void 0&&ei(t)!==void 0}told(){return new URLSearchParams(location.search).get("step")}remember(){this.
on&&(clearTimeout(this.waiting),performance.now()-this.written>250?this.write():this.waiting=setTimeout(()=>this.write(),120))}write(){if(this.written=performance.
now(),this.place!==ti())return;let t=new URL(location.href);t.searchParams.set("step",String(this.player.step));try{history.replaceState(history.state,"",t)}catch{}}keep(){
this.written&&this.told()!==String(this.player.step)&&this.remember()}forget(){clearTimeout(this.waiting)}};var U={NE:"Navigation error: distance from the stop to the goal, in metres",TL:"Length of the agent's path, in metres",SPL:"Success weighted by path length",nDTW:"\
Normalised dynamic time warping",SDTW:"Success weighted by nDTW",CLS:"Coverage weighted by length score"},Sl={NE:"Navigation error: mean distance from the stops\
 to their targets, in metres",SPL:"Success of the whole task weighted by path length",ISR:"Independent success rate: share of the parts that were done",CSR:"Con\
ditional success rate: a part counts more right after one that was done",CGT:"CSR weighted by the ground truth's length of each part",TAR:"Target approach rate:\
 how near the stops came, 1 at the target"},Ml={NE:U.NE,TL:U.TL,SPL:U.SPL,nDTW:U.nDTW,SR_reverie:"REVERIE's success: 1 if the last viewpoint sees the target obj\
ect, however far the path's end is",RGS:"Remote grounding success: 1 if the object that was named is the target"},Tl={GP:"Goal progress: by how many metres the \
walk came nearer to the place that the dialogue is about; below 0 it went away",NE:U.NE,TL:U.TL,SPL:U.SPL,nDTW:U.nDTW},si={NE_rec:"Navigation error in metres, a\
s the evaluator recorded it",TL:U.TL,TL_rec:"Length of the agent's path in metres, as the evaluator recorded it",SPL_rec:"Success weighted by path length, as th\
e evaluator recorded it",nDTW_rec:"nDTW to the expert's whole walk, as the evaluator recorded it (by an approximate DTW)",nDTW_dense:"nDTW to the expert's whole\
 walk, from the positions by the exact DTW; not R2R's nDTW",NE_est:"Estimated: the straight line from the last pose to the goal; the way over the mesh is longer",
SPL_est:"Success estimated by the straight line, weighted by path length"},Ll={NE_rec:"NE recorded",TL_rec:"TL recorded",SPL_rec:"SPL recorded",nDTW_rec:"nDTW r\
ecorded",nDTW_dense:"nDTW to whole walk",NE_est:"NE estimated",SPL_est:"SPL estimated"},El=new Set(["GP","NE","TL","NE_rec","TL_rec","NE_est"]);function $l({episode:s,
metrics:t}){return s.tasks.length?Sl:t.NE_rec!==void 0||t.NE_est!==void 0?si:t.GP!==void 0?Tl:t.SR_reverie===void 0?U:Ml}var _l=new Set(["error","budget","limit"]),
Al=10,$e=class{constructor(t,e,n){this.player=t,this.headBox=e,this.noteBox=n}show(){let{doc:t,options:e}=this.player,n=t.compare&&t.label?this.runs():this.facts();
this.headBox.hidden=e.header===!1,this.headBox.replaceChildren(l("h2",{text:t.title,title:t.title}),l("span",{class:"nv-facts",text:n,title:n}),...this.figures()),
this.showNotes()}facts(){let{doc:t}=this.player;return[...new Set([t.run,t.navigator,...Ol(t.settings),t.model].filter(Boolean))].join("  ·  ")}runs(){let{doc:t}=this.
player,e=[t.label,t.compare?.label,...(t.further??[]).map(n=>n.label)];return`${e.length} runs: ${e.join("  ·  ")}`}showNotes(){let{doc:t,linker:e}=this.player,
n=[...t.notes];t.end&&_l.has(t.end.status)&&n.push(`The run ended early (${t.end.status})${t.end.reason?`: ${t.end.reason}`:"."}`);let o=t.divergence?.sentence;
this.noteBox.replaceChildren(...this.player.why.rows(),...o?[t.divergence?.step?this.divergence(o):l("p",{class:"nv-note"},m(e,o))]:[],...n.map(i=>l("p",{class:"\
nv-note",text:i})))}divergence(t){let e={mousedown:k,click:()=>this.player.toDivergence()},n={type:"button",class:`nv-note nv-note-divergence${this.player.doc.causes?
" nv-below":""}`,title:"Go to this step (d)",on:e};return l("button",n,l("span",{class:"nv-glyph nv-mark-divergence"}),l("span",{},m(this.player.linker,t)))}figures(){
let{doc:t}=this.player,e=Object.keys(this.metrics()).filter(o=>o in t.metrics),n=this.metrics()===si?this.freeFigures(e):e;return[this.outcome(),...n.map(o=>this.
figure(o))].filter(o=>o!==null)}freeFigures(t){let{metrics:e}=this.player.doc,n=t.filter(r=>e[r]!==null),i=n.includes("NE_rec")?["NE_est","SPL_est"]:[];return n.
includes("TL")&&i.push("TL_rec"),n.filter(r=>!i.includes(r))}metrics(){return $l(this.player.doc)}outcome(){let{doc:t}=this.player;if(t.running)return l("span",
{class:"nv-outcome nv-live",text:"running"});let{SR:e,SR_rec:n,SR_est:o}=t.metrics,i=e??n??o;if(i==null)return null;let r=typeof e=="number"?"":typeof n=="numbe\
r"?" as recorded":" (estimated)";return i>=1?l("span",{class:"nv-outcome nv-success",text:`✓ success${r}`}):l("span",{class:"nv-outcome nv-failure",text:`✕ fa\
ilure${r}`})}figure(t){let{metrics:e,compare:n}=this.player.doc,o=this.player.doc.further?.length?void 0:n?.metrics[t],i=this.rerun()&&this.told(t,o??null)===this.
told(t,e[t]);return l("span",{class:"nv-figure",title:this.metrics()[t]},l("span",{text:Ll[t]??t}),l("b",{text:this.told(t,e[t])}),o==null||i?null:l("i",{text:`${this.
rerun()?"was":"vs"} ${this.told(t,o)}`}))}rerun(){let{doc:t}=this.player,{compare:e}=t;return!e||t.navigator!==e.navigator||t.model!==e.model?!1:t.episode.instruction!==
e.instruction||!!(t.forked_from??e.forked_from)}told(t,e){if(!El.has(t))return C(e,2);let n=this.player.doc.episode.success_radius_m<Al;return M(e,n?2:(e??0)<100?
1:0)}};function Ol(s){return Object.entries(s??{}).filter(([,e])=>typeof e=="string").flatMap(([e,n])=>{let o=String(n);return o.startsWith("text variant")?["te\
xt variant"]:e==="variant"&&o==="pictures"?["pictures"]:o.includes("(stand-in)")?[`${e}=${o}`]:[]})}var ni=[["← →","step"],["shift + ← →","sub-goal"],["home, end","start, end"],["space","play, pause"],["1 – 9","speed"],["c","to the likely cause or hi\
nt"],["d","to the divergence"],["ctrl + k, /","search"],["f","present"],["escape","leave"],["?","these keys"]],Cl=[["n, p","next, previous episode"]],Pl=[["r","\
repair what failed, and walk again"]],Il=[["b","branch off: fork at this step"]],_e=class{constructor(t){let{actions:e,episodes:n}=t.options,o=[...n?Cl:[],...e?.
some(({name:r})=>r==="fork")?Il:[],...e?.some(({name:r})=>r==="repair")?Pl:[]],i=[...ni.slice(0,7),...o,...ni.slice(7)];this.box=l("dialog",{class:"nv-help","ar\
ia-label":"Keys"},l("h3",{text:"Keys"}),l("dl",{},i.flatMap(([r,a])=>[l("dt",{text:r}),l("dd",{text:a})])),l("p",{class:"nv-mute",text:"Point at a node id, a le\
tter or a landmark in any text: the map shows where it is. Click it, and the map goes there."})),t.root.append(this.box)}get isOpen(){return this.box.open}close(){
this.box.close()}toggle(){this.isOpen?this.close():this.box.show()}};var pt=[],ut=null,Ae=!1;function ii(s){pt.length||(window.addEventListener("keydown",li),window.addEventListener("pointerdown",ai,!0)),pt.push(s),Rl(s)}function ri(s){
pt.splice(pt.indexOf(s),1),ut===s&&(ut=null),!pt.length&&(window.removeEventListener("keydown",li),window.removeEventListener("pointerdown",ai,!0))}function ai(){
Ae=!1}function Bs(s){ut=s}function Nl(){return ut&&oi(ut)?ut:pt.findLast(oi)??null}var oi=s=>s.root.isConnected&&s.root.getClientRects().length>0;function Rl(s){
let{activeElement:t}=document;t instanceof HTMLInputElement&&t.getAttribute("role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!s.root.contains(t)&&
t.blur()}function li(s){s.key==="Tab"&&(Ae=!0);let t=Nl();if(!t||s.defaultPrevented)return;s.key==="Escape"&&s.target instanceof HTMLTextAreaElement&&s.target.blur();
let n=(s.ctrlKey||s.metaKey)&&!s.altKey&&!s.shiftKey&&s.key.toLowerCase()==="k"?()=>t.search.open():zl(t,s);n&&(s.preventDefault(),s.stopPropagation(),Bl(t),n())}
function Bl(s){let{activeElement:t}=document;Ae||!(t instanceof HTMLElement)||s.root.contains(t)||t.blur()}function zl(s,t){return t.ctrlKey||t.metaKey||t.altKey||
Ul(t)?null:jl(s,t)}function jl(s,{key:t,shiftKey:e}){let n=o=>()=>{s.pause(),e?s.bySubGoal(o):s.go(s.step+o)};if(/^[1-9]$/.test(t))return()=>s.transport.setSpeed(
Number(t));switch(t){case"ArrowRight":return n(1);case"ArrowLeft":return n(-1);case"Home":return()=>s.go(0);case"End":return()=>s.go(s.count);case" ":return()=>s.
toggle();case"d":return()=>s.toDivergence();case"c":return()=>s.toCause();case"r":return s.why.repair?()=>s.why.walkRepair():null;case"n":return s.options.episodes?
()=>s.toEpisode("next"):null;case"p":return s.options.episodes?()=>s.toEpisode("previous"):null;case"b":return s.options.actions?.some(({name:o})=>o==="fork")?()=>s.
act("fork"):null;case"f":return()=>s.present();case"?":return()=>s.help.toggle();case"/":return()=>s.search.open();case"Escape":return Wl(s);default:return null}}
function Wl(s){return s.help.isOpen?()=>s.help.close():s.presenter.on?()=>s.present(!1):null}var Dl="textarea, select, [contenteditable=''], [contenteditable=tr\
ue]",Hl=new Set(["button","checkbox","color","file","image","radio","range","reset","submit"]),Fl="[role=slider], [role=listbox], [role=option], [role=menu], [r\
ole=grid], [role=radiogroup], [role=tablist], canvas[tabindex], input",Gl="button, summary, a, [role=button], [role=checkbox], [role=switch], label";function Ul(s){
let t=s.composedPath()[0];return t instanceof Element?t instanceof HTMLInputElement&&!Hl.has(t.type)?!(t.getAttribute("role")==="combobox"&&t.getAttribute("aria\
-expanded")!=="true"&&!t.value&&/^(Arrow(Left|Right)|Home|End)$/.test(s.key)):t.closest(Dl)||t.closest("dialog[open] input")?!0:Ae?s.key===" "||s.key==="Enter"?
t.closest(Gl)!==null:t.closest(".navviz-player")===null&&t.closest(Fl)!==null:!1:!1}var ql=[["why","Why"],["plan","Plan"],["text","Text"]],Oe=class{constructor(t,e){this.root=t,this.buttons=ql.map(([n,o])=>l("button",{type:"button",text:o,data:{
sheet:n},on:{mousedown:k,click:()=>this.open(n)}})),e.append(l("div",{class:"nv-sheets",role:"group","aria-label":"Below the map"},...this.buttons)),this.open("\
why")}open(t){this.root.dataset.sheet=t;for(let e of this.buttons)e.setAttribute("aria-pressed",String(e.dataset.sheet===t))}};var Vl=30,zs=14,Kl=.0165,Xl=5,Zl=.36,Yl=10,Ce=class{constructor(t){this.player=t,this.wasFull=!1,this.instruction=l("div",{class:"nv-told",hidden:!0}),t.main.before(
this.instruction);let{signal:e}=t.stopped;document.addEventListener("fullscreenchange",()=>this.onFullscreen(),{signal:e}),window.addEventListener("resize",()=>this.
fitType(),{signal:e})}get on(){return this.player.root.classList.contains("nv-present")}turn(t=!this.on){t!==this.on&&(this.player.root.classList.toggle("nv-pre\
sent",t),t?this.enterTop():this.leaveTop(),this.player.repaintPane(),requestAnimationFrame(()=>{this.player.map.resize(),this.player.map.fit(!1)}))}onFullscreen(){
!document.fullscreenElement&&this.wasFull&&this.turn(!1),this.wasFull=!!document.fullscreenElement}enterTop(){let{root:t,options:e}=this.player;t.setAttribute("\
popover","manual");try{t.showPopover()}catch{}e.fullscreen!==!1&&t.ownerDocument.documentElement.requestFullscreen?.().catch(()=>{})}leaveTop(){let{root:t}=this.
player;t.style.removeProperty("font-size"),this.instruction.hidden=!0;try{t.hidePopover()}catch{}t.removeAttribute("popover"),document.fullscreenElement&&document.
exitFullscreen().catch(()=>{})}fitType(){if(!this.on)return;let{root:t,pane:e}=this.player;this.instruction.replaceChildren(...e.top.querySelectorAll(".nv-instr\
uction")),this.instruction.hidden=!1;let n=Math.min(Vl,Math.max(zs,window.innerWidth*Kl));for(;n>zs;n-=1)if(t.style.fontSize=`${n}px`,this.fits(n))return;t.style.
fontSize=`${zs}px`}fits(t){let{pane:e,paneBox:n}=this.player,o=this.instruction.offsetHeight<.28*window.innerHeight;if(e.body.querySelector(".nv-look, .nv-seen-\
pictures"))return o&&n.clientHeight>=Zl*window.innerHeight+Yl*t;let i=e.top.querySelector(".nv-plan"),r=e.top.scrollHeight<=e.top.clientHeight+1&&(!i||i.scrollHeight<=
i.clientHeight+1),a=n.clientHeight-e.top.scrollHeight-e.tabs.offsetHeight;return r&&a>=Xl*1.5*t&&o}};function ci(s,t){let e=[{what:"instruction",tab:null,step:0,text:s.episode.instruction}];s.planning.sub_goals.forEach(([n],o)=>{let i=s.steps.findIndex(r=>r.sub_goal===
o);e.push({what:`sub-goal ${o+1}`,tab:null,step:i+1,text:t[n]??""})});for(let n of s.planning.landmarks){let o=s.steps.findIndex(i=>i.observation?.pois.some(r=>r.
name===n.name));e.push({what:"landmark",tab:null,step:o+1,text:n.name})}return hi(e,s.planning.calls,0,t),s.steps.forEach((n,o)=>{hi(e,n.calls,o+1,t);for(let i of n.
observation?.pois??[])e.push({what:"landmark",tab:"seen",step:o+1,text:i.name});n.decision?.reason&&e.push({what:"decision",tab:null,step:o+1,text:n.decision.reason})}),
e}function hi(s,t,e,n){for(let o of t){o.thoughts!==void 0&&s.push({what:"thoughts",tab:"thoughts",step:e,text:n[o.thoughts]??""}),o.reply!==void 0&&s.push({what:"\
reply",tab:"reply",step:e,text:n[o.reply]??""});let i=o.messages.map(({parts:r})=>r.map(([,a])=>n[a]??"").join("")).join(`

`);i&&s.push({what:"prompt",tab:"prompt",step:e,text:i})}}function di(s,t,e){let n=t.trim().toLowerCase();if(!n)return[];let o=[];for(let i of[...s].sort((r,a)=>+(r.
what==="prompt")-+(a.what==="prompt"))){let r=i.text.toLowerCase(),a=0;for(let h=0;h<3;h+=1){let c=r.indexOf(n,a);if(c<0)break;if(a=c+n.length,o.push({...i,...Jl(
i.text,c,n.length)}),o.length===e)return o}}return o}function Jl(s,t,e){let n=r=>r.replace(/\s+/g," "),o=Math.max(0,t-48),i=Math.min(s.length,t+e+48);return{before:n(
(o>0?"…":"")+s.slice(o,t)),match:n(s.slice(t,t+e)),after:n(s.slice(t+e,i)+(i<s.length?"…":""))}}async function pi(s){let t=new Blob([s]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(t).json()}function ui(s,t,e,n){let o=t.trim().
toLowerCase();if(!o)return[];let i=o.split(/\s+/),[r,a,h]=[[],[],[]];for(let[c,d]of s){if(c===n)continue;let p=c.toLowerCase(),u=d.toLowerCase();p===o?r.push(js(
c,d,0,0)):p.startsWith(o)?a.push(js(c,d,0,0)):i.every(f=>u.includes(f))&&h.push(Ql(c,d,u,o,i))}return[...r,...a,...h].slice(0,e)}function Ql(s,t,e,n,o){let i=e.
indexOf(n),r=i>=0?i:e.indexOf(o[0]);return js(s,t,r,i>=0?n.length:o[0].length)}function js(s,t,e,n){let o=Math.max(0,e-32),i=Math.min(t.length,e+n+90);return{id:s,
before:(o>0?"…":"")+t.slice(o,e),match:t.slice(e,e+n),after:t.slice(e+n,i)+(i<t.length?"…":"")}}var Ws=60,Ds=40,th="This file holds one episode only; the app searches the whole run.",Pe=class{constructor(t){this.player=t,this.hits=[],this.others=[],this.index=
[],this.chosen=0,this.known=null;let e={input:()=>this.look(),keydown:n=>this.onKey(n)};this.field=l("input",{type:"search",class:"nv-search-field","aria-label":"\
Search",placeholder:t.options.runIndex?"Search this episode, and the run's ids and instructions":"Search prompts, thoughts, replies, landmarks",on:e}),this.list=
l("ol",{class:"nv-hits"}),this.note=l("p",{class:"nv-mute nv-search-note"}),this.box=l("dialog",{class:"nv-search","aria-label":"Search"},this.field,this.list,this.
note),t.root.append(this.box),this.box.addEventListener("focusout",n=>{this.box.contains(n.relatedTarget)||this.box.close()})}open(){this.player.pause(),this.box.
open||this.box.show(),this.field.focus(),this.field.select(),this.look(),this.readIndex()}async readIndex(){let t=await this.player.options.runIndex?.();!t||t===
this.index||(this.index=t,this.box.open&&this.look())}close(){this.field.blur(),this.box.close()}all(){let{doc:t,strings:e}=this.player;return this.known?.doc!==
t&&(this.known={doc:t,all:ci(t,e)}),this.known.all}look(){let t=this.field.value;this.hits=di(this.all(),t,Ws),this.others=ui(this.index,t,Ds,this.player.doc.episode.
id),this.chosen=0,this.note.textContent=this.said(t);let e=this.hits.length;this.list.replaceChildren(...this.hits.map((n,o)=>this.row(n,o,n.step===0?"start":`s\
tep ${n.step}`,n.what)),...this.others.map((n,o)=>this.row(n,e+o,"episode",n.id))),this.choose(0)}said(t){let e=this.player.options.file?th:"";if(!t.trim())return`\
↑ ↓ choose, enter goes there, escape leaves. ${e}`.trim();let n=[];return this.hits.length===Ws&&n.push(`The first ${Ws} places in this episode.`),this.others.
length===Ds&&n.push(`The first ${Ds} other episodes.`),this.hits.length||n.push(this.others.length||!this.index.length?"Nothing in this episode says that.":"Not\
hing in this episode, and no other instruction of the run, says that."),[...n,e].join(" ").trim()}row(t,e,n,o){return l("li",{class:n==="episode"?"nv-hit nv-hit\
-episode":"nv-hit",on:{mousedown:r=>r.preventDefault(),click:()=>this.go(e),mousemove:()=>this.choose(e)}},l("span",{class:"nv-hit-where",text:`${n} · ${o}`}),
l("span",{class:"nv-hit-text"},t.before,l("mark",{text:t.match}),t.after))}choose(t){this.chosen=Math.max(0,Math.min(this.hits.length+this.others.length-1,t)),[
...this.list.children].forEach((e,n)=>{e.classList.toggle("nv-on",n===this.chosen),n===this.chosen&&e.scrollIntoView({block:"nearest"})})}onKey(t){if(t.key==="E\
scape")this.close();else if(t.key==="Enter")this.go(this.chosen);else if(t.key==="ArrowDown")this.choose(this.chosen+1);else if(t.key==="ArrowUp")this.choose(this.
chosen-1);else return;t.preventDefault(),t.stopPropagation()}go(t){let{player:e}=this,n=this.hits[t],o=this.others[t-this.hits.length];if(!(!n&&!o)){if(this.close(),
!n){e.options.onAction?.("open",e.step,o.id);return}e.go(n.step),n.tab&&(e.pane.open(n.tab),this.show(n))}}show(t){let{body:e}=this.player.pane,n=eh(e,t.match.toLowerCase());
if(!n?.startContainer.parentElement)return;let o=n.startContainer.parentElement;for(let i=o.closest("details");i;i=i.parentElement?.closest("details")??null)i.open=
!0;this.player.pane.scrollToElement(o),getSelection()?.removeAllRanges(),getSelection()?.addRange(n)}};function eh(s,t){let e=document.createTreeWalker(s,NodeFilter.
SHOW_TEXT),n=[],o="";for(;e.nextNode();){let d=e.currentNode;n.push([d,o.length]),o+=d.data}let i=o.toLowerCase().indexOf(t);if(i<0)return null;let r=d=>n.findLast(
([,p])=>p<=d),a=r(i),h=r(i+t.length-1);if(!a||!h)return null;let c=document.createRange();return c.setStart(a[0],i-a[1]),c.setEnd(h[0],i+t.length-h[1]),c}function fi(s){let t=[];return s.forEach((e,n)=>{let o=e.sub_goal??null,i=t.at(-1);i&&i.goal===o?i.to=n+1:t.push({goal:o,from:n+1,to:n+1})}),t}function mi(s,t,e,n){
let o=[0,...s.map(i=>i.from),e];return n>0?o.find(i=>i>t):o.findLast(i=>i<t)}var Ie=.2,Ne=class{constructor(t,e,n){this.player=t,this.make(e,"column",t.main,"map and text"),this.make(n,"row",t.paneBox,"plan and thoughts")}make(t,e,n,o){t.
setAttribute("role","separator"),t.setAttribute("aria-orientation",e==="column"?"vertical":"horizontal"),t.title=`Drag to share the room between ${o}; double-cl\
ick for the first share`;let i=Jt(`split.${e}`);typeof i=="number"&&this.set(n,e,i),t.addEventListener("pointerdown",r=>{r.preventDefault(),t.setPointerCapture(
r.pointerId),t.dataset.held="true"}),t.addEventListener("pointermove",r=>{if(!t.dataset.held)return;let a=sh(n,e,r);this.set(n,e,a),wt(`split.${e}`,a)}),t.addEventListener(
"lostpointercapture",()=>{delete t.dataset.held}),t.addEventListener("dblclick",()=>{n.style.removeProperty(`--nv-${e}`),delete n.dataset[e],wt(`split.${e}`,null)})}set(t,e,n){
t.style.setProperty(`--nv-${e}`,`${(100*Math.min(1-Ie,Math.max(Ie,n))).toFixed(2)}%`),t.dataset[e]="set"}};function sh(s,t,e){let n=s.getBoundingClientRect(),o=t===
"column"?(e.clientX-n.left)/n.width:(e.clientY-n.top)/n.height;return Math.min(1-Ie,Math.max(Ie,o))}function nh(s){let t=/^#([0-9a-f]{3}|[0-9a-f]{6})/i.exec(s)?.[1],e;return t?e=(t.length===3?[...t].map(o=>o+o):t.match(/../g)??[]).map(o=>Number.parseInt(o,16)):
e=/rgba?\(([^)]+)\)/.exec(s)?.[1].split(/[ ,/]+/).slice(0,3).map(Number),e?(.2126*e[0]+.7152*e[1]+.0722*e[2])/255:null}function z(s){let t=getComputedStyle(s.parentElement??
s).getPropertyValue("--st-background-color").trim(),e=t?nh(t):null;return e!==null?e>.5?"light":"dark":matchMedia("(prefers-color-scheme: dark)").matches?"dark":
"light"}var Y=class{constructor(t){this.root=t,this.known=new Map}get(t){let e=`${this.root.dataset.theme} ${t}`,n=this.known.get(e)??getComputedStyle(this.root).
getPropertyValue(`--nv-${t}`).trim();return this.known.set(e,n),n}};var oh=250,Re=class{constructor(t,e){this.player=t,this.held=!1,this.track=l("div",{class:"nv-track",role:"slider",tabindex:0,"aria-label":"Step","aria-valuemin":0}),
this.track.addEventListener("pointerdown",n=>this.grab(n)),this.track.addEventListener("pointermove",n=>{n.buttons===1&&this.held&&this.seek(n)}),this.track.addEventListener(
"pointerup",()=>{this.held=!1}),e.append(this.track),this.rows=new Dt(this,this.track),this.cursor=l("div",{class:"nv-cursor"}),this.count=0,this.segments=[],this.
segmentNodes=[],this.build()}get doc(){return this.player.doc}build(){this.count=this.doc.steps.length,this.segments=fi(this.doc.steps),this.segmentNodes=this.segments.
map((t,e)=>this.segment(t,e)),this.track.replaceChildren(this.distances(),this.label(),...this.segmentNodes,...this.skills(),...this.cells(),...this.marks(),this.
cursor),this.rows.build(),this.track.setAttribute("aria-valuemax",String(this.count))}left(t){return 100*t/(this.count+1)}middle(t){return 100*(t+.5)/(this.count+
1)}label(){let t=this.doc.steps.some(o=>o.to_goal_m!==void 0||o.to_target_m!==void 0),e=this.doc.stages.length?"distance to target":"distance to goal",n=this.left(
1)<7?"":t?e:"start";return l("div",{class:"nv-track-label",style:{width:`${this.left(1)}%`},text:n})}segment({goal:t,from:e,to:n},o){let i=this.doc.steps[e-1].plan??
this.doc.planning.sub_goals,r=t===null?void 0:i[t],a=t===null?"":`${t+1}  ${r?(this.player.strings[r[0]]??"").slice(0,300):""}`,h=`nv-segment${o%2?" nv-odd":""}${t===
null?" nv-unplanned":""}`,c={left:`${this.left(e)}%`,width:`${this.left(n+1)-this.left(e)}%`};return l("div",{class:h,title:a,style:c},l("span",{text:a}))}cells(){
return this.count>oh?[]:Array.from({length:this.count+1},(t,e)=>l("div",{class:"nv-tick",style:{left:`${this.left(e)}%`}}))}skills(){let{doc:t}=this;return yt(t.
steps,0,this.count).flatMap(({skill:e,back:n,from:o,to:i})=>{let r=O(t,e);if(e===void 0||!r)return[];let a=i-o>1?`Steps ${o+1} to ${i}`:`Step ${i}`,h={left:`${this.
left(o+1)}%`,width:`${this.left(i+1)-this.left(o+1)}%`,"background-color":r},c=`${a}: ${t.skills?.[e]?.name}${n?", back to the best stop":""}`;return[l("div",{class:"\
nv-track-skill",title:c,style:h,data:{skill:e}})]})}marks(){let{doc:t}=this,e=[],n=(r,a,h)=>{let c={mark:a,step:r};e.push(l("div",{class:`nv-mark nv-mark-${a}`,
title:`Step ${r}: ${h}`,data:c,style:{left:`${this.middle(r)}%`}}))};t.steps.forEach((r,a)=>{r.decision&&!r.decision.legal?n(a+1,"illegal","illegal decision"):r.
retries&&n(a+1,"retry","retried")});let o=t.divergence;o?.step&&n(o.step,"divergence",o.sentence??"leaves the reference path"),o?.returned_step&&n(o.returned_step,
"returned","back on the reference path");let i=t.compare?.first_difference;return i&&i<=this.count&&n(i,"difference","first difference to the run compared"),t.forked_from?.
step&&n(Math.min(t.forked_from.step,this.count),"fork","forked here"),t.end&&this.count&&n(this.count,"stop",`the end (${t.end.status})`),e}distances(){let{stages:t}=this.
doc,e=this.doc.steps.map(d=>t.length?d.to_target_m:d.to_goal_m),n=y("svg",{class:"nv-distances",viewBox:"0 0 100 100",preserveAspectRatio:"none","aria-hidden":"\
true"}),o=e.filter(d=>d!==void 0);if(o.length<2)return n;let i=this.doc.episode.success_radius_m,r=Math.max(...o,i*2),a=d=>96-88*d/r,h=(d,p)=>d===void 0?[]:[[this.
middle(p+1),a(d)]],c=t.length?t.map(({first:d,last:p})=>[d??1,p??0]):[[1,e.length]];for(let[d,p]of c){let u=e.slice(d-1,p).flatMap((g,b)=>h(g,d-1+b));if(u.length<
2)continue;let f=u.map(g=>g.join(",")).join(" ");n.append(y("polygon",{points:`${u[0][0]},100 ${f} ${u[u.length-1][0]},100`}),y("polyline",{points:f,"vector-eff\
ect":"non-scaling-stroke"}))}return n.append(y("line",{x1:0,x2:100,y1:a(i),y2:a(i),"vector-effect":"non-scaling-stroke"})),n}show(t){this.cursor.style.setProperty(
"left",`${this.middle(t)}%`),this.rows.show(t),this.track.setAttribute("aria-valuenow",String(t)),this.segments.forEach(({from:e,to:n},o)=>{this.segmentNodes[o].
classList.toggle("nv-now",t>=e&&t<=n)})}grab(t){t.button===0&&(this.held=!0,this.track.setPointerCapture(t.pointerId),t.preventDefault(),this.seek(t))}seek(t){let e=this.
track.getBoundingClientRect(),n=(t.clientX-e.left)/e.width;this.player.pause(),this.player.go(Math.floor(n*(this.player.count+1)))}};var ih=2400,rh=2,ah=320,Be=class{constructor(t,e){this.player=t,this.speed=rh,this.timer=null,this.playButton=this.button("play","Play (space)",()=>this.toggle()),
this.where=l("span",{class:"nv-step",role:"status","aria-live":"polite"}),this.tally=l("span",{class:"nv-tally"}),this.speedBox=this.speeds(),e.append(this.bar())}button(t,e,n){
return _(t,e,n,{press:t})}bar(){let{player:t}=this;return l("div",{class:"nv-transport"},this.button("first","Start (home)",()=>t.go(0)),this.button("previous",
"Step back (←)",()=>t.go(t.step-1)),this.playButton,this.button("next","Step on (→)",()=>t.go(t.step+1)),this.button("last","End (end)",()=>t.go(t.count)),this.
speedBox,this.where,l("span",{class:"nv-gap"}),this.tally,(t.options.actions??[]).filter(({label:e})=>e).map(e=>this.action(e)),this.button("search","Search (ct\
rl + k)",()=>t.search.open()),this.button("keys","Keys (?)",()=>t.help.toggle()),this.button("present","Present (f)",()=>t.present()))}action({name:t,label:e}){
return l("button",{type:"button",class:"nv-action",data:{action:t},on:{mousedown:k,click:()=>this.player.options.onAction?.(t,this.player.step)},text:e})}speeds(){
let t=Array.from({length:9},(o,i)=>l("option",{value:i+1,text:`${i+1}×`})),n=l("select",{class:"nv-speed",title:"Speed (1 – 9)","aria-label":"Speed",on:{change:()=>{
this.setSpeed(Number(n.value)),n.blur()}}},t);return n.value=String(this.speed),n}show(t){let{player:e}=this;this.where.replaceChildren(l("b",{text:`Step ${e.step}`}),
` of ${e.count}`);let n=t.partial?"+":"";this.tally.replaceChildren(this.fact("tokens",t.tokens===void 0?"–":C(t.tokens)+n,"Tokens so far; a dash where the lo\
g does not say"),this.fact("time",zt(t.seconds),"Time of the model calls so far"),t.list_price?this.fact("list price",ot(t.cost_usd),"Cost so far at list price;\
 the log does not tell what was paid"):this.fact("cost",ot(t.cost_usd),"Cost so far"))}fact(t,e,n){return l("span",{title:n,class:e==="–"?"nv-unknown":""},l("\
i",{text:t}),e)}get playing(){return this.timer!==null}toggle(){this.playing?this.pause():this.play()}play(){let{player:t}=this;if(!t.count)return;t.atEnd&&!t.doc.
running&&t.go(0);let e=(t.doc.free?ah:ih)/this.speed;t.root.style.setProperty("--nv-step-time",`${Math.round(e)}ms`),this.timer=setInterval(()=>this.tick(),e),this.
playButton.replaceChildren(Bt("pause")),t.root.dataset.playing="true"}tick(){this.player.atEnd?this.pause():this.player.go(this.player.step+1)}pause(){this.timer!==
null&&(clearInterval(this.timer),this.timer=null,this.playButton.replaceChildren(Bt("play")),this.player.root.dataset.playing="false")}setSpeed(t){this.speed=t,
this.speedBox.value=String(t),this.playing&&(this.pause(),this.play())}};var Et={prompt:"prompt",thoughts:"thoughts",reply:"reply"},lh={instruction:"Instruction",prompt:"Prompt",thoughts:"Thoughts",reply:"Reply",plan:"Plan",map:"Map",
decision:"Decision",setting:"Setting"},gi="nv-proof";function hh(s){let t=lh[s.source]??s.source;return s.step===void 0?t:`${t}, step ${s.step}`}function Hs(s,t){
return l("li",{},l("button",{type:"button",class:"nv-quote",title:"Show where it stands",on:{mousedown:k,click:t}},l("b",{text:hh(s)}),l("span",{text:s.text})))}
var ze=class{constructor(t){this.player=t,this.open=!1}get cause(){return Zt(this.player.doc)}get others(){return this.player.doc.causes?.all.filter(t=>t!==this.
cause)??[]}get repair(){let{doc:t,options:e}=this.player;return e.actions?.some(({name:n})=>n==="repair")?t.causes?.repair:void 0}walkRepair(t){let{player:e}=this;
e.pause(),e.options.onAction?.("repair",e.step,void 0,t)}repairButton(t,e,n){let o={mousedown:k,click:()=>this.walkRepair(n)},i=`Walk again: ${e}${n===void 0?" \
(r)":""}`;return l("button",{type:"button",class:"nv-small nv-repair-button",title:i,text:t,on:o})}rows(){let{causes:t}=this.player.doc;if(!t)return[];let{cause:e,
repair:n}=this,o=n?this.repairButton("Repair",n):null;if(!e){let p=t.unchecked?`No cause found. ${t.unchecked}`:"No cause found.",u=l("p",{class:"nv-note nv-no-\
cause",text:p});return o?[l("div",{class:"nv-cause"},u,o)]:[u]}let i={mousedown:k,click:()=>this.player.toCause()},r={mousedown:k,click:()=>this.turn()},a=this.
others.length?` and ${this.others.length} more`:"",h=e.grade==="hint",d=l("div",{class:h?"nv-cause nv-hint":"nv-cause"},h?l("span",{class:"nv-hint-mark",text:"h\
int",title:"A hint: its kind is not shown to be right in nine of ten real hits"}):null,l("button",{type:"button",class:"nv-cause-sentence",title:"Go to the step\
 where it began (c)",on:i},m(this.player.linker,e.sentence)),l("button",{type:"button",class:"nv-small nv-proof-button","aria-expanded":String(this.open),text:this.
open?"Hide proof":`Proof${a}`,on:r}),o);return this.open?[d,this.proof(e)]:[d]}proof(t){let e=l("ul",{class:"nv-quotes","aria-label":"Proof"},t.quotes.map(n=>Hs(
n,()=>this.show(n))));for(let n of this.others){let o=n.grade==="hint"?"Hint":"Also",i={mousedown:k,click:()=>this.player.jump(n.step)},r=`${o}, step ${n.step}:\
 ${n.sentence}`,a=l("li",{},l("button",{type:"button",class:"nv-quote nv-mute",text:r,on:i})),h=this.player.doc.causes?.all.indexOf(n);this.repair&&n.repair&&a.
append(this.repairButton("Repair this",n.repair,h)),e.append(a)}return e}turn(){this.open=!this.open,this.player.head.showNotes(),this.player.map.resize()}show(t){
let{player:e}=this;t.step!==void 0&&e.jump(t.step);let n=Et[t.source];n&&e.pane.open(n),n&&!this.ranges(t).length&&e.pane.calls.showRaw(),this.mark([t],!0),t.at&&
e.map.closeUp(t.at)}markHere(){let{cause:t,player:e}=this,n=t?.quotes.filter(({step:o})=>o===void 0||o===e.step)??[];this.mark(n,!1)}mark(t,e){let{highlights:n}=CSS;
if(!n)return;let o=t.flatMap(r=>this.ranges(r));o.length?n.set(gi,new Highlight(...o)):n.delete(gi);let i=o[0]?.startContainer.parentElement;e&&i&&this.player.pane.
scrollToElement(i)}ranges(t){let{pane:e}=this.player;return Et[t.source]?Et[t.source]===e.shown?yi(e.body,t.text,1):[]:t.source==="instruction"||t.source==="pla\
n"?yi(e.top,t.text,1):[]}};function yi(s,t,e){let n=[],o="",i=document.createTreeWalker(s,NodeFilter.SHOW_TEXT);for(let h=i.nextNode();h;h=i.nextNode()){let{data:c}=h;
for(let d=0;d<c.length;d+=1){let p=/\s/.test(c[d]);p&&(o===""||o.endsWith(" "))||(o+=p?" ":c[d].toLowerCase(),n.push({node:h,at:d}))}}let r=t.replace(/\s+/g," ").
trim().toLowerCase(),a=[];if(!r||o.length!==n.length)return a;for(let h=o.indexOf(r);h>=0&&a.length<e;h=o.indexOf(r,h+1)){let c=document.createRange(),d=n[h+r.length-
1];c.setStart(n[h].node,n[h].at),c.setEnd(d.node,d.at+1),a.push(c)}return a}function je(s,t){let e=()=>{let o=s.getBoundingClientRect().top;for(let i=s.parentElement;i;i=i.parentElement)o+=i.scrollTop;s.style.height=`${Math.max(t(),window.
innerHeight-Math.min(o,320)-12)}px`},n=new ResizeObserver(e);for(let o=s.parentElement;o;o=o.parentElement)n.observe(o);return window.addEventListener("resize",
e),e(),()=>{n.disconnect(),window.removeEventListener("resize",e)}}async function $t(s){if(Array.isArray(s))return s;let t=Uint8Array.from(atob(s.gzip),n=>n.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream(
"gzip"));return new Response(e).json()}var ch=460,dh=1e3,ph=700,uh=620,fh=560,q=class s{static async mount(t,e,n={}){return new s(t,e,n,await $t(e.strings))}constructor(t,e,n,o){this.root=t,this.options=
{deepLink:!0,...n},this.doc=e,this.strings=o,this.linker=new vt(e),this.places=new Map,this.address=new Ee(this),this.step=this.address.start();let{atCause:i}=this.
address;this.stopped=new AbortController,this.updates=0,this.hovered=null,this.colors=new Y(t),this.prepareRoot(),this.mapBox=l("div",{class:"nv-map"}),this.paneBox=
l("div",{class:"nv-pane"});let r=l("header",{class:"nv-head"}),a=l("div",{class:"nv-notes"}),h=l("footer",{class:"nv-foot"}),c=l("div",{class:"nv-split nv-split\
-column"});this.main=l("div",{class:"nv-main"},this.mapBox,c,this.paneBox);let d=l("div",{class:"nv-frame"},r,a,this.main,h);t.append(d),this.phone=new Oe(t,d),
this.takeHeight(),this.why=new ze(this),this.head=new $e(this,r,a),this.head.show(),this.pictures=new xe(this),this.look=new Te(this),this.pane=new ke(this,this.
paneBox),this.strip=new Le(this,h.appendChild(l("div",{class:"nv-strip"}))),this.timeline=new Re(this,h.appendChild(l("div",{class:"nv-line"}))),this.transport=
new Be(this,h),this.help=new _e(this),this.search=new Pe(this),this.presenter=new Ce(this),this.splits=new Ne(this,c,this.pane.split);let p=e.frame==="geo"?lt:at;
this.map=new p(this.mapBox,e,this.mapApi()),this.listen(),this.show(),i&&this.toCause(),this.phone.open(a.childElementCount?"why":"plan"),ii(this)}prepareRoot(){
let{root:t,doc:e}=this;t.replaceChildren(),t.classList.add("navviz-player"),t.dataset.ready="false",t.dataset.theme=this.options.theme??z(t),t.dataset.episode=e.
episode.id,t.dataset.steps=String(this.count),t.dataset.free=String(e.free),this.options.shows&&(t.dataset.shows=this.options.shows)}get count(){return this.doc.
steps.length}get atEnd(){return this.step===this.count}get current(){return this.step===0?null:this.doc.steps[this.step-1]}text(t){return this.strings[t]??""}nodeMark(t,e){
return Uo(this.doc,t,e)}mapApi(){let t=this;return{get doc(){return t.doc},options:this.options,resolve:(e,n)=>this.resolve(e,n),hover:e=>this.lightText(e),pick:e=>this.
pane.scrollTo(e),mentions:e=>this.paneBox.querySelectorAll(`[data-ref="${CSS.escape(e)}"]`).length,color:e=>this.colors.get(e),focus:()=>Bs(this)}}resolve(t,e){
let n=`${e} ${t}`,o=this.places.get(n)??(t.startsWith("n:")?kt(this.doc,Number(t.slice(2))):this.namedPlace(t,e));return this.places.set(n,o),o}namedPlace(t,e){
let n=a=>a.filter(h=>$(h.name)===t&&h.at),o=a=>n(a?.observation?.pois??[]),i=o(this.doc.steps[e-1]);i.length||(i=this.doc.steps.flatMap(o)),i.length||(i=n(this.
doc.pois)),i.length||(i=n(this.doc.planning.landmarks));let r=i.map(a=>a.node).filter(a=>typeof a=="number");return{label:i[0]?.name??t.slice(2),nodes:r,at:i.flatMap(
a=>a.at?[a.at]:[])}}lightText(t){for(let e of this.root.querySelectorAll(".nv-ref.nv-lit"))e.classList.remove("nv-lit");for(let e of t)for(let n of this.root.querySelectorAll(
`[data-ref="${CSS.escape(e)}"]`))n.classList.add("nv-lit")}go(t){let e=Math.max(0,Math.min(this.count,t));e!==this.step&&(this.step=e,this.show(),this.address.remember(),
this.options.onStep?.(e))}show(){let{current:t}=this;this.linker.setStep(t),this.pane.show(t),this.presenter.fitType(),this.timeline.show(this.step),this.strip.
show(this.step),this.pictures.ahead(this.step),this.map.showStep(this.step),this.transport.show(t?.so_far??this.doc.planning.so_far),this.why.markHere(),this.root.
dataset.step=String(this.step),this.root.dataset.ready!=="true"&&requestAnimationFrame(()=>requestAnimationFrame(()=>this.painted()))}painted(){this.stopped.signal.
aborted||(this.root.dataset.ready="true")}repaintPane(){this.pane.show(this.current),this.presenter.fitType(),this.why.markHere()}toDivergence(){let t=this.doc.
divergence?.step??this.doc.compare?.first_difference;t&&(this.pause(),this.go(t),this.nearStep())}toCause(){let{cause:t}=this.why;if(!t){this.toDivergence();return}
this.pause(),this.go(t.step),this.nearStep(t.quotes.flatMap(({at:n})=>n?[n]:[]));let e=t.quotes.find(({step:n,source:o})=>n===t.step&&o in Et)?.source;e&&this.pane.
open(e)}nearStep(t){let e=this.current?.node,n=typeof e=="number"?kt(this.doc,e).at[0]:void 0;n&&this.map.closeUp(n,t)}toSubGoal(t){let e=this.doc.steps.findIndex(
n=>n.sub_goal===t);e<0||(this.pause(),this.go(e+1))}toStage(t){let e=this.doc.stages[t]?.first;e!==void 0&&this.jump(e)}jump(t){this.pause(),this.go(t)}bySubGoal(t){
let{stages:e}=this.doc,n=e.length?Zs(e,this.step,this.count,t):mi(this.timeline.segments,this.step,this.count,t);n!==void 0&&this.go(n)}toEpisode(t){this.pause(),
this.options.onAction?.(t,this.step)}act(t){this.options.onAction?.(t,this.step)}toggle(){this.transport.toggle()}pause(){this.transport.pause()}present(t){this.
presenter.turn(t)}listen(){let{signal:t}=this.stopped,{root:e}=this;e.addEventListener("pointerdown",()=>Bs(this),{signal:t}),e.addEventListener("mouseover",r=>this.
onHover(r),{signal:t}),e.addEventListener("click",r=>this.onClick(r),{signal:t}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>this.followTheme(),
{signal:t});let{navigation:n}=window;n?.addEventListener("currententrychange",()=>this.address.keep(),{signal:t});let o=new ResizeObserver(()=>this.map.resize());
o.observe(this.mapBox);let i=new MutationObserver(()=>this.followTheme());for(let r=e.parentElement;r;r=r.parentElement)i.observe(r,{attributes:!0,attributeFilter:[
"class","style"]});t.addEventListener("abort",()=>{o.disconnect(),i.disconnect()})}onHover(t){let e=nt(t);e!==this.hovered&&(this.hovered=e,this.lightText(e?[e]:
[]),this.map.highlight(e?[e]:[]))}onClick(t){let e=nt(t);!e||this.mapBox.contains(t.target)||(t.stopPropagation(),this.map.panTo(e))}followTheme(){let t=this.options.
theme??z(this.root);t!==this.root.dataset.theme&&(this.root.dataset.theme=t,this.map.setTheme())}takeHeight(){let{root:t,options:e}=this;if(typeof e.height=="nu\
mber"&&(t.style.height=`${e.height}px`),e.height!=="fill")return;let n=()=>t.clientWidth<=fh?uh:t.clientWidth<ph?dh:ch;this.stopped.signal.addEventListener("abo\
rt",je(t,n))}async update(t){let e=++this.updates,n=await $t(t.strings);if(e!==this.updates||this.stopped.signal.aborted)return;let o=this.atEnd;this.doc=t,this.
strings=n,this.linker=new vt(t),this.places=new Map,this.step=o?this.count:Math.min(this.step,this.count),this.root.dataset.steps=String(this.count),this.root.dataset.
episode=t.episode.id,this.head.show(),this.timeline.build(),this.strip.build(),this.map.update(t),this.show()}destroy(){this.pause(),this.address.forget(),this.
presenter.turn(!1),this.stopped.abort(),ri(this),this.map.destroy(),this.root.replaceChildren(),this.root.removeAttribute("data-ready")}};var Vs={};Xi(Vs,{cookie:()=>Di,desk:()=>Bi,episodes:()=>Gi,guide:()=>Hi,pick:()=>Wi,player:()=>Fi,post:()=>zi,shelf:()=>ji});function ki(s,t){return s.entries.filter(n=>n.item.episode===t.episode).length>1?`${t.episode}~${t.claim||t.run}`:t.episode}function wi(s){let t=new URLSearchParams(
location.search),e=t.get("item");return e===null||t.get("queue")!==s.queue?-1:s.entries.findIndex(({item:n})=>ki(s,n)===e)}function We(s,t){let e=new URL(location.
href),n=ki(s,t);if(!(e.searchParams.get("queue")===s.queue&&e.searchParams.get("item")===n)){e.searchParams.set("queue",s.queue),e.searchParams.set("item",n);try{
history.replaceState(history.state,"",e)}catch{}}}function xi(){let s=new URL(location.href);s.searchParams.has("item")&&(s.searchParams.delete("queue"),s.searchParams.
delete("item"),history.replaceState(history.state,"",s))}var bi=[1e3,2e3,4e3,8e3,15e3],w=s=>JSON.stringify([s.dataset,s.episode,s.run,...s.claim?[s.claim]:[]]),De=class{constructor({owner:t,storage:e,send:n,onAnswer:o,
onChange:i,now:r=Date.now,name:a=gh()}){this.prefix=`navviz:outbox:${t}:`,this.storage=e,this.deliver=n,this.onAnswer=o,this.onChange=i,this.now=r,this.name=a,this.
count=0,this.stamp=0,this.waiting=new Map,this.out=null,this.failures=0,this.again=0,this.trouble="",this.known=new Map,this.adopt()}adopt(t=Number.POSITIVE_INFINITY){
for(let n=0;n<this.storage.length;n+=1){let o=this.storage.key(n);if(!o?.startsWith(this.prefix)||this.waiting.has(o)||Number(o.slice(this.prefix.length).split(
":")[0])>t)continue;let i=mh(this.storage.getItem(o));i&&this.waiting.set(o,i)}this.waiting=new Map([...this.waiting].sort(([n],[o])=>n<o?-1:1));let e=new Set(this.
known.keys());for(let{item:n,kind:o,id:i,seen:r}of this.actions)n&&(o==="save"||o==="undo")&&!e.has(w(n))&&this.known.set(w(n),{after:i,seen:r})}knows(t,e){this.
holds(t)||this.known.set(w(t),{after:null,seen:e})}add(t){this.count+=1;let e=`${this.name}-${this.count}`,n=t.item&&this.known.get(w(t.item))||{after:null,seen:0},
o={value:null,seconds:0,reason:null,...t,id:e,seen:n.seen,after:n.after};t.item&&(t.kind==="save"||t.kind==="undo")&&this.known.set(w(t.item),{after:e,seen:n.seen}),
this.stamp=Math.max(this.stamp,this.now());let i=`${String(this.stamp).padStart(14,"0")}:${String(this.count).padStart(8,"0")}`,r=`${this.prefix}${i}:${this.name}`;
return this.waiting.set(r,o),this.write(r,o),this.flush(),this.onChange(),o}write(t,e){try{this.storage.setItem(t,JSON.stringify(e))}catch{this.trouble="The bro\
wser's storage is full: keep this window open until everything is saved."}}get actions(){return[...this.waiting.values()]}holds(t){let e=w(t);return this.actions.
some(n=>n.item&&w(n.item)===e)}flush(){let t=this.now();if(!this.waiting.size||t<this.again||this.out&&t-this.out.at<6e3)return;this.out&&(this.failures+=1);let[
e]=this.waiting.values(),n=[];for(let o of this.waiting.values()){if(o.queue!==e.queue||n.length===40)break;n.push(o)}this.out={ids:new Set(n.map(({id:o})=>o)),
at:t},this.deliver(e.queue,n.map(({queue:o,...i})=>i))}receive(t){let e=new Map([...this.waiting].map(([o,i])=>[i.id,{key:o,action:i}])),n="";for(let o of t){let i=e.
get(o.id);if(i){if(o.state==="failed"){n=o.told;break}this.waiting.delete(i.key),this.storage.removeItem(i.key),this.settle(o,i.action),this.onAnswer(o,i.action)}}
t.some(({id:o})=>this.out?.ids.has(o))&&(this.out=null),this.trouble=n,this.failures=n?this.failures+1:0,this.again=n?this.now()+bi[Math.min(this.failures,bi.length)-
1]:0,this.flush(),this.onChange()}settle(t,e){if(!t.item||t.revision===null)return;let n=w(t.item),o=this.known.get(n),i=!o||o.after===e.id||!this.holds(t.item);
t.state==="conflict"||i?this.known.set(n,{after:null,seen:t.revision}):o.seen=Math.max(o.seen,t.revision)}lost(){this.out=null,this.again=0,this.flush()}get state(){
if(!this.waiting.size)return"saved";let t=this.out!==null&&(this.failures>0||this.now()-this.out.at>6e3/2);return this.trouble||t?"kept":"saving"}};function mh(s){
try{let t=JSON.parse(s??"");return typeof t?.id=="string"&&typeof t?.queue=="string"?t:null}catch{return null}}function gh(){return[...crypto.getRandomValues(new Uint8Array(
9))].map(t=>t.toString(36).padStart(2,"0")).join("")}var vi=(s,t)=>s.data.entries.findIndex(({item:e})=>w(e)===t);function Si(s,t,e){let n=t.item&&w(t.item),o=n?vi(s,n):-1;t.feedback!==void 0&&o>=0&&(s.data.entries[o].
feedback=t.feedback),t.state==="refused"&&(s.notice=`Not saved: ${t.told}`,o>=0&&s.refusals.set(o,t.told)),t.state!=="saved"&&(s.past=s.past.filter(i=>i.at!==o)),
t.state==="refused"&&e.kind==="walk"&&o>=0&&s.put(o,null),t.state==="conflict"&&o>=0&&s.conflicts.set(o,t),t.state==="saved"&&e.kind==="undo"&&yh(s,t,e,o),t.state===
"saved"&&o>=0&&t.revision!==null&&s.channel.postMessage({key:n,value:s.values[o],revision:t.revision}),(o===s.at||s.notice)&&s.showItem()}function yh(s,t,e,n){t.
told&&(s.notice=t.told),!(n<0||s.outbox.holds(s.data.entries[n].item))&&(s.put(n,t.value),!e.item&&(s.drafts.drop(w(s.data.entries[n].item)),s.at=n,s.locked=!1,
s.notice=`Undone: episode ${s.entry.item.episode}.`,s.show()))}function Mi(s,{key:t,value:e,revision:n}){let o=vi(s,t);o<0||s.outbox.holds(s.data.entries[o].item)||
(s.outbox.knows(s.data.entries[o].item,n),s.put(o,e),s.drafts.drop(t),s.showItem())}var He=class{constructor(t,e=()=>performance.now()){this.idleMs=t*1e3,this.now=e,this.spent=new Map,this.item=null,this.last=null}touch(){let t=this.now();this.
last!==null&&this.item!==null&&t-this.last<=this.idleMs&&this.spent.set(this.item,(this.spent.get(this.item)??0)+t-this.last),this.last=t}turn(t){this.touch(),this.
item=t}away(){this.touch(),this.last=null}take(t){this.touch();let e=this.spent.get(t)??0;return this.spent.delete(t),Math.round(e)/1e3}};var Fe=class{constructor(t,e,n){this.prefix=`navviz:draft:${t}:${e}:`,this.storage=n,this.held=new Map}of(t){let e=this.held.get(t)??this.read(t);return this.held.
set(t,e),e}read(t){try{let e=JSON.parse(this.storage.getItem(this.prefix+t)??"{}");return e&&typeof e=="object"&&!Array.isArray(e)?e:{}}catch{return{}}}keep(t){
try{this.storage.setItem(this.prefix+t,JSON.stringify(this.of(t)))}catch{}}put(t,e){this.held.set(t,e),this.keep(t)}rated(t){this.storage.removeItem(this.prefix+
t)}drop(t){this.held.delete(t),this.storage.removeItem(this.prefix+t)}};var kh="textarea, select, [contenteditable=''], [contenteditable=true]",wh=new Set(["button","checkbox","color","file","image","radio","range","reset","submit"]);
function Ti(s){let t=s.composedPath()[0];return t instanceof Element?document.querySelector("dialog[open]")||t.closest("[role=dialog]")?!0:t instanceof HTMLInputElement&&
!wh.has(t.type)?!(t.getAttribute("role")==="combobox")||t.getAttribute("aria-expanded")==="true":t.closest(kh)?!0:(s.key==="Enter"||s.key===" ")&&t.matches("but\
ton, a, summary, [role=button]")&&t.matches(":focus-visible"):!1}var Li=s=>s.key.length===1?s.key.toLowerCase():s.key;function Ei(s){return{ArrowUp:"↑",ArrowDown:"\
↓",ArrowLeft:"←",ArrowRight:"→",Enter:"↵",Escape:"Esc"," ":"Space"}[s]??s.toUpperCase()}function x(s,{chosen:t=!1,disabled:e=!1,look:n="",title:o}={}){let i=s.keys[0];return l("button",{type:"button",class:`nv-key-button ${n}`,"aria-pressed":t?"tru\
e":"false",disabled:e,title:o??(n.includes("nv-line")?s.label:void 0),on:{mousedown:k,click:s.run}},l("span",{text:s.label}),i!==void 0&&l("kbd",{text:Ei(i)}))}
function J(s,t,e="nv-choices"){return l("div",{class:"nv-question"},l("p",{text:s}),l("div",{class:e},t))}var Fs=[["y","Yes","yes"],["p","Partly","partly"],["n","No","no"],["t","Cannot tell","cannot tell"]],Ge=class{constructor(t,e){this.desk=t,this.box=e}show(){let{
claim:t}=this.desk.sheet??{},{value:e}=this.desk,n=this.commands().slice(0,Fs.length).map((o,i)=>x(o,{chosen:e?.answer===Fs[i][2]}));this.box.replaceChildren(t?
this.said(t):"",J("Is this the cause?",n,"nv-scale"))}said(t){return l("div",{class:"nv-claim"},l("button",{type:"button",class:"nv-claim-sentence",title:"Go to\
 its step (r)",on:{mousedown:k,click:()=>this.toStep()}},/\bstep \d/i.test(t.sentence)?"":l("span",{class:"nv-mute",text:`Step ${t.step}: `}),t.sentence),l("ul",
{class:"nv-quotes","aria-label":"Quotes"},this.quotes.map(n=>Hs(n,()=>this.desk.player?.why.show(n)))))}get quotes(){return this.desk.sheet?.document?.causes?.all[0]?.
quotes??[]}commands(){return[...Fs.map(([e,n,o])=>({keys:[e],label:n,run:()=>this.desk.save({...this.desk.value,answer:o})})),{keys:["r"],label:"To its step",run:()=>this.
toStep()}]}toStep(){this.desk.player?.toCause()}done(){return!0}};var Ue=[["linguistic","Linguistic intricacy","How hard is the text to take apart?"],["topological","Topological complexity","How hard is the way itself?"],["ope\
rational","Operational demand","How much is there to do and keep in mind?"]],qe=class{constructor(t,e){this.desk=t,this.box=e}get axis(){let{axis:t}=this.desk.draft;
return typeof t=="number"?t:0}level(t){let{value:e,draft:n}=this.desk;return n[t]??e?.[t]??null}show(){let t=Ue.map(([o,i,r],a)=>{let h=Array.from({length:10},(c,d)=>l(
"button",{type:"button",class:"nv-level",text:String(d+1),"aria-pressed":this.level(o)===d+1?"true":"false","aria-label":`${i}: ${d+1}`,on:{mousedown:k,click:()=>this.
rate(a,d+1)}}));return l("div",{class:"nv-question nv-axis",data:{axis:o},"aria-current":a===this.axis?"true":"false"},l("p",{},l("b",{text:i}),` ${r}`),l("div",
{class:"nv-levels",role:"group","aria-label":i},h))}),e=Ue.filter(([o])=>this.level(o)===null).map(([,o])=>o.toLowerCase()),n=e.length&&e.length<3?`Still to rat\
e: ${e.join(", ")}.`:"";this.box.replaceChildren(...t,l("p",{class:"nv-desk-hint"},l("kbd",{text:"1"})," to ",l("kbd",{text:"9"}),", ",l("kbd",{text:"0"})," for\
 10, rate the marked axis; ",l("kbd",{text:"↑"}),l("kbd",{text:"↓"})," mark another.",n&&l("b",{text:` ${n}`})))}commands(){let t=Array.from({length:10},(n,o)=>({
keys:[String((o+1)%10)],label:String(o+1),run:()=>this.rate(this.axis,o+1)})),e=n=>()=>this.desk.keep({axis:(this.axis+n+3)%3});return[...t,{keys:["ArrowUp"],label:"\
Axis above",run:e(-1)},{keys:["ArrowDown"],label:"Axis below",run:e(1)}]}done(){return!0}rate(t,e){let{desk:n}=this;n.keep({[Ue[t][0]]:e,axis:Math.min(t+1,2)});
let o=Object.fromEntries(Ue.map(([i])=>[i,this.level(i)]));Object.values(o).every(i=>i!==null)&&n.save({...n.value,...o})}};var xh=8,Ve=class{constructor(t,e){this.desk=t,this.box=e,this.chosen=0,this.field=l("input",{type:"text",class:"nv-field",placeholder:"Code or words, then ↵",
"aria-label":"Find a label",autocomplete:"off",on:{input:()=>this.turn(0),keydown:n=>this.onKey(n)}}),this.list=l("div",{class:"nv-finder-list",role:"listbox","\
aria-label":"Labels"}),this.help=l("p",{class:"nv-desk-hint"}),this.finder=l("div",{class:"nv-finder",hidden:!0},this.field,this.list,this.help)}get given(){return this.
desk.value?.labels??[]}get step(){return this.desk.draft.whole?null:this.desk.playerStep||null}show(){let[t,e,n,o,i]=this.commands(),{value:r,draft:a}=this.desk,
h=this.step?`at step ${this.step}`:"for the whole episode";this.box.replaceChildren(l("p",{text:"What went wrong, and where?"}),l("div",{class:"nv-scale nv-acts"},
x({...t,label:`Label ${h}`}),x(e,{chosen:!!a.whole,title:"Not for the step that is shown"}),x(n,{chosen:r!==null&&!this.given.length,disabled:this.given.length>
0})),this.finder,...this.offers().map((c,d)=>this.suggestion(c,d===0?i:{...i,keys:[]})),...this.given.map((c,d)=>this.line(c,d)),this.given.length?x(o):"")}offers(){
let t=new Set(this.given.map(({code:e})=>e));return(this.desk.sheet?.suggestions??[]).filter(({code:e})=>!t.has(e))}suggestion(t,e){let{code:n,title:o,step:i}=t,
r=()=>this.give({code:n,step:i,note:"",suggested:!0});return l("div",{class:"nv-card"},l("p",{class:"nv-mute",text:t.caption}),l("p",{text:`${n} ${o}. ${t.sentence}`}),
x({...e,run:r,label:"Take it over"}))}line(t,e){let n=this.desk.data.labels.find(({code:r})=>r===t.code)?.titles.at(-1)??"",o=t.step?`step ${t.step}`:"whole epi\
sode",i=l("input",{type:"text",class:"nv-field",value:t.note,placeholder:"Note","aria-label":`Note for ${t.code}`,on:{change:()=>this.note(e,i.value),keydown:bh}});
return l("div",{class:"nv-card nv-given",data:{code:t.code}},l("p",{text:`${t.code} ${n} (${o}${t.suggested?", from a suggestion":""})`}),l("div",{class:"nv-cho\
ices"},i,l("button",{type:"button",class:"nv-small",text:"Remove",on:{mousedown:k,click:()=>this.drop(e)}})))}commands(){return[{keys:["a"],label:"Label",run:()=>this.
open()},{keys:["w"],label:"Whole episode",run:()=>this.desk.keep({whole:!this.desk.draft.whole})},{keys:["n"],label:"Nothing failed",run:()=>this.given.length||
this.put([])},{keys:["x"],label:"Remove the last",run:()=>this.given.length&&this.drop(this.given.length-1)},{keys:["t"],label:"Take it over",run:()=>{let[t]=this.
offers();t&&this.give({code:t.code,step:t.step,note:"",suggested:!0})}}]}open(){this.finder.hidden=!1,this.field.value="",this.turn(0),this.field.focus()}close(){
this.finder.hidden=!0,this.field.blur()}matches(){let t=this.field.value.trim().toLowerCase(),e=t.split(/\s+/);return this.desk.data.labels.filter(({code:o,titles:i,
help:r})=>{let a=`${o} ${i.join(" ")} ${r}`.toLowerCase();return e.every(h=>a.includes(h))}).sort((o,i)=>$i(o,t)-$i(i,t)).slice(0,xh)}turn(t){let e=this.matches();
this.chosen=e.length?(t+e.length)%e.length:0,this.list.replaceChildren(...e.map((n,o)=>l("div",{role:"option",class:"nv-option",text:`${n.code}  ${n.titles.slice(
-2).join(" › ")}`,title:n.titles.join(" › "),"aria-selected":o===this.chosen?"true":"false",on:{mousedown:k,click:()=>this.take(n)}}))),this.help.textContent=
e.length?e[this.chosen].help:"No label holds these words."}onKey(t){let n={ArrowDown:()=>this.turn(this.chosen+1),ArrowUp:()=>this.turn(this.chosen-1),Escape:()=>this.
close(),Enter:()=>{let o=this.matches()[this.chosen];o&&this.take(o)}}[t.key];n&&(t.preventDefault(),t.stopPropagation(),n())}take(t){this.close(),this.give({code:t.
code,step:this.step,note:"",suggested:!1})}give(t){this.given.some(({code:n,step:o})=>n===t.code&&o===t.step)||this.put([...this.given,t])}drop(t){this.put(this.
given.filter((e,n)=>n!==t))}note(t,e){this.put(this.given.map((n,o)=>o===t?{...n,note:e}:n))}done(t){return Array.isArray(t.labels)&&t.labels.length===0}put(t){
let{desk:e}=this,{name:n,version:o}=e.data.taxonomy??{name:"",version:1};e.save({taxonomy:n,taxonomy_version:o,...e.value,labels:t})}},$i=({code:s},t)=>s.toLowerCase()===
t?0:s.toLowerCase().startsWith(t)?1:2;function bh(s){s.key==="Enter"&&s.target instanceof HTMLElement&&s.target.blur()}var vh=(s,t,e)=>`${s} ${s===1?t:e}`,Ke=class{constructor(t,e){this.desk=t,this.box=e}get stand(){return this.desk.sheet?.stand??null}show(){let{value:t}=this.desk,
{stand:e}=this;if(t){let d=t.gave_up?"You gave up on this one.":"Saved. Your walk is kept as a trace of the navigator “human”.";this.box.replaceChildren(l("\
p",{text:d}),l("p",{class:"nv-desk-hint",text:"Whether you arrived is not shown, so that it does not change how you walk the next one. Undo lets you walk again."}));
return}if(!e){this.box.replaceChildren(l("p",{class:"nv-desk-hint",text:"Looking around …"}));return}let n=this.commands(),o=n.filter(({keys:d})=>/^[1-9]$/.test(
d[0])),[i,r,a,h]=n.slice(o.length),c=e.in_sight.length?`In sight: ${e.in_sight.join("; ")}.`:"No place in sight that the text names.";this.box.replaceChildren(l(
"p",{text:"Where to? Click a ringed place on the map, or choose here."}),l("div",{class:"nv-column"},o.map(d=>x(d,{look:"nv-offer"}))),l("div",{class:"nv-choice\
s"},x(i),x(r,{disabled:!e.taken.length})),l("div",{class:"nv-choices"},x(a,{look:"nv-wide nv-main-key"}),x(h)),l("p",{class:"nv-desk-hint",text:c}),l("p",{class:"\
nv-desk-hint",text:`${vh(e.taken.length,"choice","choices")} so far, ${Math.round(e.walked_m)} m walked.${e.told?` ${e.told}`:""}`}))}commands(){let{stand:t}=this;
return!t||this.desk.value?[]:[...t.choices.filter(({listed:e})=>e).slice(0,9).map(({node:e,text:n},o)=>({keys:[String(o+1)],label:n,run:()=>this.go([...t.taken,
e])})),{keys:["t"],label:"Turn around",run:()=>this.go([...t.taken,t.here])},{keys:["b"],label:"One step back",run:()=>this.go(t.taken.slice(0,-1))},{keys:["h"],
label:"Here: I have arrived",run:()=>this.desk.endWalk(t.taken,!1)},{keys:["v"],label:"Give up",run:()=>this.desk.endWalk(t.taken,!0)}]}go(t){this.desk.walkOn(t)}pickNode(t){
let e=this.desk.sheet?.document?.nodes.ids[t],{stand:n}=this;n&&e!==void 0&&n.choices.some(o=>o.node===e)&&this.go([...n.taken,e])}};function st(s){return[...s.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}_'’&.-]*[\p{L}\p{N}_])?/gu)].map(t=>({start:t.index,end:t.index+t[0].length}))}var Q=(s,t)=>[...s.
slice(0,t)].length,Gs=(s,t)=>[...s].slice(0,t).join("").length;function _i(s,t,e){let n=st(s),o=[];for(let i of[...t].sort((r,a)=>r-a)){let{start:r,end:a}=n[i],
h=o.at(-1);h&&!s.slice(h.end,r).trim()?h.end=a:o.push({start:r,end:a})}return o.map(({start:i,end:r})=>{let a=s.slice(i,r),[h,c]=[Q(s,i),Q(s,r)],d=e.find(p=>p.start===
h&&p.text===a)??e.find(p=>p.text===a);return{start:h,end:c,text:a,poi_id:d?.poi_id??null}})}function Ai(s,t){let e=h=>h.toLowerCase().match(/[\p{L}\p{N}]+/gu)??
[],n=new Set(e(s)),o=e(t.name),i=e(t.kind??""),r=o.filter(h=>n.has(h)).length,a=i.filter(h=>n.has(h)||n.has(`${h}s`)).length;return 2*r/Math.max(1,o.length)+r+a}var Oi=9,Xe=class{constructor(t,e){this.desk=t,this.box=e}get mentions(){return this.desk.value?.mentions??[]}get cursor(){let{cursor:t}=this.desk.draft;return typeof t==
"number"?t:0}chosen(){let{text:t}=this.desk.entry;return st(t).flatMap(({start:e,end:n},o)=>{let[i,r]=[Q(t,e),Q(t,n)];return this.mentions.some(a=>a.start<=i&&r<=
a.end)?[o]:[]})}get active(){let{text:t}=this.desk.entry,e=st(t)[this.cursor];if(!e)return;let n=Q(t,e.start);return this.mentions.find(o=>o.start<=n&&n<o.end)}showText(t){
let{text:e}=this.desk.entry,n=new Set(this.chosen()),o=[],i=0;st(e).forEach(({start:r,end:a},h)=>{o.push(e.slice(i,r));let c=l("span",{class:"nv-word",role:"che\
ckbox",text:e.slice(r,a),"aria-checked":n.has(h)?"true":"false","aria-current":h===this.cursor?"true":"false",on:{mousedown:k,click:()=>this.toggle(h)}}),d=this.
linkAt(Q(e,r));d&&(c.dataset.ref=d),o.push(c),i=a}),t.replaceChildren(...o,e.slice(i))}linkAt(t){let e=this.mentions.find(o=>o.start<=t&&t<o.end&&o.poi_id),n=e&&
this.places.find(({id:o})=>o===e.poi_id);return n&&n.poi!==null?`p:${n.poi}`:null}show(){let t=this.commands().find(({keys:n})=>n[0]==="n"),e=this.mentions.map(
n=>this.row(n));this.box.replaceChildren(l("p",{class:"nv-desk-hint"},"Mark every word that names a landmark: click it, or ",l("kbd",{text:"←"}),l("kbd",{text:"\
→"})," and ",l("kbd",{text:"Space"}),". Neighbouring words become one mention."),t?x(t,{chosen:this.desk.value!==null&&!this.mentions.length}):"",...e.length?
[l("p",{text:"Which place on the map does each mean?"}),...e]:[])}row(t){let e=t===this.active,n=this.places.find(({id:h})=>h===t.poi_id),o=n?Ci(n):"not on the \
map, or unclear",i=l("div",{class:"nv-mention","aria-current":e?"true":"false"},l("b",{text:t.text,title:t.text}),l("span",{class:"nv-mute",text:o,title:o}));if(n?.
poi!==null&&n?.poi!==void 0&&(i.dataset.ref=`p:${n.poi}`),i.addEventListener("click",()=>this.to(t)),!e)return i;let r=this.offers(t).map((h,c)=>x({keys:[String(
c+1)],label:Ci(h),run:()=>this.link(t,h.id)},{chosen:h.id===t.poi_id,look:"nv-offer nv-line"}));return l("div",{class:"nv-links"},i,r,x({keys:["0"],label:"Not o\
n the map, or unclear",run:()=>this.link(t,null)},{chosen:!t.poi_id,look:"nv-offer"}))}get places(){return this.desk.sheet?.places??[]}offers(t){let e=this.places.
map(i=>({place:i,score:Ai(t.text,i)}));e.sort((i,r)=>r.score-i.score);let n=e.slice(0,Oi).map(({place:i})=>i),o=this.places.find(({id:i})=>i===t.poi_id);return o&&
!n.includes(o)&&n.splice(Oi-1,1,o),n}commands(){let t=o=>()=>{let i=st(this.desk.entry.text).length;this.desk.keep({cursor:Math.max(0,Math.min(i-1,this.cursor+o))})},
{active:e}=this,n=e?this.offers(e):[];return[{keys:["ArrowLeft"],label:"Word before",run:t(-1)},{keys:["ArrowRight"],label:"Word after",run:t(1)},{keys:[" "],label:"\
Mark",run:()=>this.toggle(this.cursor)},{keys:["n"],label:"No landmark in this text",run:()=>this.put([])},...n.map((o,i)=>({keys:[String(i+1)],label:o.name,run:()=>e&&
this.link(e,o.id)})),{keys:["0"],label:"Not on the map",run:()=>e&&this.link(e,null)}]}toggle(t){let e=new Set(this.chosen());e.has(t)?e.delete(t):e.add(t),this.
desk.draft.cursor=t,this.put(_i(this.desk.entry.text,[...e],this.mentions))}to(t){let{text:e}=this.desk.entry,n=st(e).findIndex(({start:o})=>Q(e,o)===t.start);n>=
0&&this.desk.keep({cursor:n})}link(t,e){this.put(this.mentions.map(n=>n.start===t.start?{...n,poi_id:e}:n))}pick(t){let e=this.places.find(n=>n.name.toLowerCase()===
t);this.active&&e&&this.link(this.active,e.id)}put(t){this.desk.save({...this.desk.value,mentions:t})}},Ci=({name:s,kind:t})=>t&&t!==s?`${s} (${t})`:s;var Sh=["Guess","Unsure","Fair","Sure","Certain"],Ze=class{constructor(t,e){this.desk=t,this.box=e}show(){let{value:t,draft:e}=this.desk,n=t?.confidence??e.confidence,
[o,i,...r]=this.commands();this.box.replaceChildren(J("Would the instruction alone lead you along this route to the goal?",[x(o,{chosen:t?.navigable===!0}),x(i,
{chosen:t?.navigable===!1})],"nv-scale"),J("How sure are you?",r.map((a,h)=>x(a,{chosen:n===h+1})),"nv-scale"))}commands(){return[{keys:["y"],label:"Yes",run:()=>this.
answer(!0)},{keys:["n"],label:"No",run:()=>this.answer(!1)},...Sh.map((t,e)=>({keys:[String(e+1)],label:t,run:()=>this.sure(e+1)}))]}done(){return!0}answer(t){let{
desk:e}=this;e.save({confidence:e.draft.confidence??null,...e.value,navigable:t})}sure(t){let{desk:e}=this;e.value?e.save({...e.value,confidence:t}):e.keep({confidence:t})}};var Ye=class{constructor(t,e){this.desk=t,this.box=e}get steps(){return this.desk.sheet?.steps??[]}get row(){let{row:t}=this.desk.draft;return typeof t=="number"?
Math.min(t,Math.max(0,this.steps.length-1)):Math.max(0,this.steps.findIndex(({index:e})=>!this.judged(e)))}get labels(){return this.desk.value?.labels??[]}judged(t){
return this.labels.find(e=>e.step===t)?.skill}show(){if(!this.steps.length){let n=this.desk.sheet?"No step of this trace has a sub-instruction; skip it.":"";this.
box.replaceChildren(l("p",{class:"nv-desk-hint",text:n}));return}let{skills:t}=this.desk.data,e=this.steps.map((n,o)=>this.line(n,o));this.box.replaceChildren(l(
"p",{text:"Which skill does each sub-instruction ask for? The router's choice is marked."}),l("p",{class:"nv-desk-hint"},...t.map((n,o)=>l("span",{class:"nv-key\
-word"},l("kbd",{text:String(o+1)}),` ${n}`)),l("span",{class:"nv-key-word"},l("kbd",{text:"0"})," not judged"),l("span",{class:"nv-key-word"},l("kbd",{text:"↑"}),
l("kbd",{text:"↓"})," another step")),...e),this.box.querySelector("[aria-current=true]")?.scrollIntoView({block:"nearest"})}line(t,e){let n=this.judged(t.index),
o=this.desk.data.skills.map(i=>l("button",{type:"button",class:`nv-level ${i===t.named?"nv-named":""}`,text:i,title:i===t.named?"The router's choice":void 0,"ar\
ia-pressed":i===n?"true":"false",on:{mousedown:k,click:()=>this.judge(e,i)}}));return l("div",{class:"nv-question","aria-current":e===this.row?"true":"false",data:{
row:t.index}},l("p",{text:`${t.index}. ${t.text}`}),l("div",{class:"nv-levels nv-skills"},o))}commands(){let t=e=>()=>this.to(this.row+e);return[...this.desk.data.
skills.map((e,n)=>({keys:[String(n+1)],label:e,run:()=>this.judge(this.row,e)})),{keys:["0"],label:"Not judged",run:()=>this.judge(this.row,null)},{keys:["Arrow\
Up"],label:"Step above",run:t(-1)},{keys:["ArrowDown"],label:"Step below",run:t(1)}]}to(t){let e=Math.max(0,Math.min(this.steps.length-1,t));this.desk.keep({row:e}),
this.desk.playTo(this.steps[e]?.index??0)}judge(t,e){let n=this.steps[t];if(!n)return;let o=this.labels.filter(r=>r.step!==n.index),i=e===null?[]:[{step:n.index,
named:n.named,skill:e}];this.desk.save({...this.desk.value,labels:[...o,...i].sort((r,a)=>r.step-a.step)}),this.to(t+(e===null?0:1))}};var Mh=500,Th=15e3,Lh=10,Eh=1500;function Pi(s){let{signal:t}=s.stopped;window.addEventListener("keydown",o=>Ah(s,o),{signal:t,capture:!0});for(let o of["pointe\
rdown","pointermove","wheel","keydown"])window.addEventListener(o,()=>s.clock.touch(),{signal:t,capture:!0,passive:!0});document.addEventListener("visibilitycha\
nge",()=>document.hidden&&s.clock.away(),{signal:t}),window.addEventListener("blur",()=>s.clock.away(),{signal:t}),window.addEventListener("pagehide",()=>s.saveComment(),
{signal:t}),window.addEventListener("online",()=>s.outbox.lost(),{signal:t}),s.channel.addEventListener("message",({data:o})=>Mi(s,o),{signal:t}),$h(s);let e=0,
n=setInterval(()=>{e+=1,e%Lh===0&&s.outbox.adopt(Date.now()-Th),_h(s)},Mh);t.addEventListener("abort",()=>clearInterval(n))}function $h(s){let{comment:t}=s.view,
e;t.addEventListener("input",()=>{s.keepTyping(),clearTimeout(e),e=setTimeout(()=>s.saveComment(),Eh)}),t.addEventListener("blur",()=>s.saveComment()),s.stopped.
signal.addEventListener("abort",()=>clearTimeout(e))}function _h(s){s.outbox.flush(),s.shelf.need(s.at),s.view.showState(),We(s.data,s.entry.item);let t=z(s.root);
t!==s.root.dataset.theme&&(s.root.dataset.theme=t,s.map?.setTheme())}function Ah(s,t){if(t.ctrlKey||t.metaKey||t.altKey||t.isComposing||!s.root.isConnected||!s.
root.getClientRects().length)return;let{comment:e}=s.view;if(t.key==="Escape"&&t.target===e){e.blur();return}if(Ti(t))return;let n=s.commands().find(({keys:i})=>i.
includes(Li(t)));if(!n)return;t.preventDefault(),t.stopImmediatePropagation(),s.clock.touch();let{activeElement:o}=document;o instanceof HTMLElement&&o!==document.
body&&o.blur(),n.run()}var Je=class{constructor(t,e,n){this.box=e,this.told=n,this.colors=new Y(t),this.doc=null,this.map=null,this.frame="",this.sizes=new ResizeObserver(()=>this.map?.
resize()),this.sizes.observe(e)}show(t){if(t===this.doc)return;if(this.doc=t,this.map&&this.frame===t.frame){this.map.update(t),this.map.showStep(t.steps.length),
this.map.fit(!1);return}this.map?.destroy(),this.box.replaceChildren(),this.frame=t.frame;let e=t.frame==="geo"?lt:at;this.map=new e(this.box,t,this.api(t)),this.
map.showStep(t.steps.length)}api(t){let e=this;return{get doc(){return e.doc??t},options:{agentWord:"your walk",whole:!0},resolve:n=>this.resolve(n),hover:n=>this.
told.hover(n),pick:n=>this.told.pick(n),mentions:()=>0,color:n=>this.colors.get(n),focus:()=>{}}}resolve(t){let{doc:e}=this;if(!e)return{label:t,nodes:[],at:[]};
if(t.startsWith("n:"))return kt(e,Number(t.slice(2)));let n=new Set(t.startsWith("p:")?t.slice(2).split(",").map(Number):[]),o=e.pois.filter((i,r)=>n.has(r)||$(
i.name)===t);return{label:o[0]?.name??t.slice(2),nodes:[],at:o.map(i=>i.at)}}light(t){this.map?.highlight(t)}panTo(t){this.map?.panTo(t)}setTheme(){this.map?.setTheme()}destroy(){
this.sizes.disconnect(),this.map?.destroy(),this.map=null}};var ts="navviz:goes-on",Qe=class{constructor(t,e,n){this.key=`navviz:at:${t}:${e}`,this.storage=n}last(){return sessionStorage.getItem(this.key)??this.storage.getItem(
this.key)}stay(t){try{sessionStorage.setItem(this.key,t),this.storage.setItem(this.key,t)}catch{}}};var es=class{constructor(t){this.desk=t,this.beside=null}show(t){let{desk:e}=this;if(this.beside?.at===e.at)return;this.drop();let n=e.view.left.appendChild(document.
createElement("div")),o=q.mount(n,t,{deepLink:!1,header:!1,start:e.data.task==="cause"?"cause":void 0,onStep:()=>e.form.show(),actions:e.data.task==="failure"?[
{name:"label",label:"Label this step"}]:[],onAction:()=>e.commands().find(({keys:r})=>r[0]==="a")?.run()}),i={at:e.at,root:n,player:o,shown:null};this.beside=i,
o.then(r=>{i.shown=r,this.beside===i&&e.showItem()})}drop(){let t=this.beside;this.beside=null,t?.root.remove(),t?.player.then(e=>e.destroy())}get player(){return this.
beside?.at===this.desk.at?this.beside.shown:null}get step(){return Number(this.beside?.root.dataset.step??0)}playTo(t){this.beside?.player.then(e=>e.jump(t))}};var ss=class{constructor(t,e,n=Date.now){this.ask=t,this.count=e,this.now=n,this.turn=0,this.sheets=new Map,this.out=null}get(t){return this.sheets.get(t)}need(t){
if(this.out&&this.now()-this.out.at<1e4)return;let n=Array.from({length:4},(o,i)=>t+i).filter(o=>o<this.count&&!this.sheets.has(o));n.length&&this.request(n[0]===
t?[t]:n,null)}walk(t,e){this.request([t],e)}request(t,e){this.turn+=1,this.here=t[0],this.out=this.ask({positions:t,walk:e,turn:this.turn})?{positions:t,at:this.
now()}:null}take(t){for(let o of t)this.sheets.set(o.position,o);let{out:e}=this;e&&t.some(({position:o})=>e.positions.includes(o))&&(this.out=null);let n=[...this.
sheets.keys()].sort((o,i)=>Math.abs(i-(this.here??0))-Math.abs(o-(this.here??0)));for(let o of n.slice(0,Math.max(0,n.length-24)))this.sheets.delete(o)}};var _t=s=>he(s).map(Oh);function Oh(s){if(s.kind==="list"){let t=s.items.map(e=>l("li",{},Ii(e)));return s.ordered?l("ol",{start:s.start},t):l("ul",{},t)}return s.
kind==="code"?l("pre",{text:s.text}):l(s.kind==="heading"?"h4":"p",{},Ii(s.text))}function Ii(s){let t={strong:"b",emphasis:"em",code:"code"};return ce(s).map(e=>e.
kind==="text"?e.text:l(t[e.kind],{text:e.text}))}var Ch=["The text cannot be understood","The map does not show what it speaks of","The route or the data look broken","I know this place","Later, or another rea\
son"],Ni={saved:"Saved",saving:"Saving …",kept:"Not saved: kept here, tried again"},Ph=430,ns=class{constructor(t){this.desk=t,this.guiding=localStorage.getItem(
"navviz:guidelines")!=="off",this.bar=l("progress",{class:"nv-progress",max:1,"aria-label":"Rated"}),this.count=l("span",{class:"nv-count"}),this.state=l("span",
{class:"nv-desk-state",role:"status","aria-live":"polite"}),this.ways=l("div",{class:"nv-ways"}),this.left=l("div",{class:"nv-map nv-desk-left"}),this.caption=l(
"p",{class:"nv-caption"}),this.text=l("div",{class:"nv-desk-text",lang:""}),this.banner=l("div",{class:"nv-banner",hidden:!0}),this.form=l("div",{class:"nv-desk\
-form"}),this.comment=l("textarea",{class:"nv-field",rows:2,placeholder:"Comment","aria-label":"Comment"}),this.after=l("div",{class:"nv-desk-after"}),this.guide=
l("div",{class:"nv-guide nv-prose"}),this.guided=null;let e=l("div",{class:"nv-desk-side"},l("div",{class:"nv-desk-item"},this.caption,this.text),this.banner,this.
form,this.comment,this.after,this.guide);t.root.replaceChildren(l("div",{class:"nv-desk-top"},this.bar,this.count,this.state,l("span",{class:"nv-gap"}),this.ways),
l("div",{class:"nv-desk-main"},this.left,e)),this.side=e,this.text.addEventListener("mouseover",n=>this.onHover(n)),this.text.addEventListener("mouseleave",()=>this.
light([])),this.form.addEventListener("mouseover",n=>this.onHover(n)),this.text.addEventListener("click",n=>{let o=nt(n);o&&this.desk.panTo(o)}),this.stopFilling=
je(t.root,()=>Ph),this.showGuide()}show(){let{desk:t}=this,{entry:e,data:n,at:o}=t;this.bar.value=t.rated/Math.max(1,n.entries.length),this.count.textContent=`${t.
rated} of ${n.entries.length} rated · item ${o+1}`,this.ways.replaceChildren(...this.commands().map(h=>this.way(h)));let i=e.item.dataset?` · ${e.item.dataset}`:
"",r=n.entries.filter(h=>h.training).length,a=e.training?`Training ${o+1} of ${r} · `:"";this.caption.textContent=`${a}Episode ${e.item.episode}${i}${e.skipped?
` · skipped${e.reason?`: ${e.reason}`:""}`:""}`,this.showText(),this.showBanner(),this.showComment(),this.showAfter(),this.showState()}way(t){let{at:e,data:n}=this.
desk,o=t.label==="Back"&&e===0||t.label==="Next"&&e>=n.entries.length-1,i=t.label==="Guidelines"&&this.guiding||t.label==="Skip"&&this.desk.skipping||t.label===
"Go on by itself"&&this.desk.goesOn;return x(t,{disabled:o,chosen:i})}commands(){let{desk:t}=this,e=[];return t.locked&&t.data.task!=="follow"?e.push({keys:["e"],
label:"Change the rating",run:()=>t.change()}):!t.mapHere&&t.data.task!=="follow"&&!t.withoutMap.has(t.at)&&e.push({keys:["b"],label:"Rate without the map",run:()=>t.
rateWithoutMap()}),[...e,{keys:["k"],label:"Back",run:()=>t.go(t.at-1)},{keys:["j","Enter"],label:"Next",run:()=>t.go(t.at+1)},{keys:["s"],label:"Skip",run:()=>this.
askWhy(!0)},{keys:["u"],label:"Undo",run:()=>t.undo()},{keys:["c"],label:"Comment",run:()=>this.comment.focus()},{keys:["g"],label:"Guidelines",run:()=>this.turnGuide()},
{keys:["m"],label:"Go on by itself",run:()=>this.turnGoesOn()}]}showText(){let{desk:t}=this;if(t.form?.showText){t.form.showText(this.text);return}let{text:e}=t.
entry;if(t.player){this.text.replaceChildren(m(t.player.linker,e));return}let n=[],o=0;for(let i of t.sheet?.marks??[]){let[r,a]=[Gs(e,i.start),Gs(e,i.end)];r<o||
(n.push(e.slice(o,r)),n.push(l("span",{class:"nv-ref",text:e.slice(r,a),data:{ref:`p:${i.pois.join(",")}`}})),o=a)}this.text.replaceChildren(...n,e.slice(o))}onHover(t){
let e=nt(t);this.light(e?[e]:[])}light(t){this.desk.light(t),this.lightText([])}lightText(t){let{sheet:e}=this.desk,n=new Set(t.filter(i=>i.startsWith("s:")).map(
i=>i.slice(2))),o=this.side.querySelectorAll("[data-ref]");for(let i of o){let a=(i.dataset.ref??"").slice(2).split(",").some(h=>n.has(e?.document?.pois[Number(
h)]?.name.toLowerCase()??""));i.classList.toggle("nv-lit",a)}}askWhy(t){this.desk.skipping=t,this.desk.showItem()}reasons(){return[...Ch.map((e,n)=>({keys:[String(
n+1)],label:e,run:()=>this.desk.skip(e)})),{keys:["Escape","s"],label:"Do not skip",run:()=>this.askWhy(!1)}]}whySkip(){let t=this.reasons().map(e=>x(e,{look:"n\
v-offer"}));return J("Why skip it?",t,"nv-column")}conflictCommands(){let{desk:t}=this;return t.conflicts.has(t.at)?[{keys:["l"],label:"Load the other rating",run:()=>t.
settle(!1)},{keys:["o"],label:"Save mine over it",run:()=>t.settle(!0)}]:[]}showBanner(){let{desk:t}=this,e=t.conflicts.get(t.at),n=[];t.skipping&&n.push(this.whySkip()),
e&&n.push(J("This item was changed in another window; nothing was overwritten.",this.conflictCommands().map(i=>x(i))));let{feedback:o}=t.entry;if(o&&t.value){let i=o.
right?"As the researchers hold it":"The researchers hold otherwise";n.push(l("p",{class:"nv-feedback",text:`${i}: ${o.answer}.`})),o.comment&&n.push(l("p",{text:o.
comment}))}t.notice&&n.push(l("p",{text:t.notice})),this.banner.replaceChildren(...n),this.banner.hidden=!n.length}showComment(){let{desk:t,comment:e}=this;if(document.
activeElement===e)return;let n=t.draft.typed??t.draft.comment??t.value?.comment??"";e.value=String(n),e.hidden=t.data.task==="follow"}showAfter(){let{desk:t}=this,
e=t.sheet?.history??[],n=t.value?"":"Not rated yet. Every key is saved at once.";t.locked&&(n="You rated this item before."),t.value?.without_map&&(n="Rated wit\
hout the map."),this.after.replaceChildren(n?l("p",{class:"nv-desk-hint",text:n}):"",t.sheet?.note?l("p",{class:"nv-desk-hint",text:t.sheet.note}):"",e.length?l(
"details",{class:"nv-history"},l("summary",{text:`History (${e.length})`}),e.map(o=>l("p",{class:"nv-desk-hint",text:o}))):"")}showState(){let{desk:t}=this,{state:e}=t.
outbox,n=t.outbox.waiting.size,o=e==="kept"&&t.outbox.trouble?` (${t.outbox.trouble})`:"",i=e==="saved"&&t.refusals.has(t.at),r=i?"Not saved":Ni.saved,a=e==="sa\
ved"?r:`${Ni[e]}${n>1?` · ${n}`:""}${o}`;this.state.textContent!==a&&(this.state.textContent=a),t.root.dataset.state=i?"refused":e,t.root.dataset.waiting=String(
n)}turnGoesOn(){localStorage.setItem(ts,this.desk.goesOn?"off":"on"),this.show()}turnGuide(){this.guiding=!this.guiding,localStorage.setItem("navviz:guidelines",
this.guiding?"on":"off"),this.showGuide(),this.show()}showGuide(){let t=this.desk.data.guidelines;this.guide.hidden=!this.guiding||!t,this.guided!==t&&(this.guided=
t,this.guide.replaceChildren(..._t(t)))}destroy(){this.stopFilling()}};var Ih={navigability:Ze,difficulty:qe,mentions:Xe,failure:Ve,skill:Ye,follow:Ke,cause:Ge},os=class{constructor(t,e,n,o=localStorage){this.root=t,this.data=e,this.
line=n,this.stopped=new AbortController,this.owner=`${e.study}:${e.annotator}`,this.values=e.entries.map(({value:i})=>i),this.drafts=new Fe(this.owner,e.queue,o),
this.past=[],this.refusals=new Map,this.withoutMap=new Set,this.locked=!1,this.conflicts=new Map,this.notice="",this.skipping=!1,this.clock=new He(e.idle_s),this.
outbox=new De({owner:this.owner,storage:o,send:(i,r)=>n.post(i,r),onAnswer:(i,r)=>Si(this,i,r),onChange:()=>this.view?.showState()}),this.shelf=new ss(i=>n.want(
i),e.entries.length),this.places=new Qe(this.owner,e.queue,o),this.channel=new BroadcastChannel(`navviz:${this.owner}`),this.adoptWaiting(),this.at=this.firstItem(),
this.locked=this.value!==null,t.classList.add("navviz-desk"),t.dataset.theme=z(t),this.view=new ns(this),this.form=new Ih[e.task](this,this.view.form),this.map=
this.replays?null:new Je(t,this.view.left,this.mapTold()),this.replay=new es(this),Pi(this),this.show(),this.outbox.flush()}get replays(){return["failure","skil\
l","cause"].includes(this.data.task)}get entry(){return this.data.entries[this.at]}get value(){return this.values[this.at]}get sheet(){return this.shelf.get(this.
at)}get draft(){return this.drafts.of(w(this.entry.item))}get mapHere(){return!!this.sheet?.document}get goesOn(){return localStorage.getItem(ts)==="on"}get rated(){
return this.values.filter(t=>t!==null).length}adoptWaiting(){let t=new Map(this.data.entries.map(({item:e},n)=>[w(e),n]));this.data.entries.forEach(({item:e,revision:n})=>{
this.outbox.knows(e,n)});for(let{item:e,kind:n,value:o,queue:i}of this.outbox.actions){let r=e&&i===this.data.queue?t.get(w(e)):void 0;r!==void 0&&n==="save"&&(this.
values[r]=o)}}firstItem(){let t=wi(this.data);if(t>=0)return this.trainedFirst(t);let e=this.places.last(),n=this.data.entries.findIndex(({item:i})=>w(i)===e);if(n>=
0)return this.trainedFirst(n);let o=this.data.entries.findIndex(({skipped:i},r)=>!i&&this.values[r]===null);return o>=0?o:this.data.entries.length-1}update(t){let e=w(
this.entry.item);this.data=t,this.values=t.entries.map(({value:o})=>o),this.adoptWaiting();let n=t.entries.findIndex(({item:o})=>w(o)===e);this.at=n>=0?n:Math.min(
this.at,t.entries.length-1),this.view.showGuide(),this.show()}save(t,e=!1){if(!e&&!this.mayRate())return;let n=this.draft.comment??this.value?.comment??"",o=!this.
mapHere&&this.withoutMap.has(this.at),i={task:this.data.task,...t,comment:n,without_map:o},r=this.value;if(Nh(r,i))return;let{item:a}=this.entry;this.past.push(
{at:this.at,before:r,draft:{...this.draft}}),this.put(this.at,i),this.drafts.rated(w(a)),this.refusals.delete(this.at),this.entry.skipped=!1,this.notice="",this.
send({kind:"save",item:a,value:i}),!e&&this.goesOn&&!this.entry.training&&this.form.done?.(i)?this.goOn():this.showItem()}mayRate(){if(this.locked)this.notice="\
This item is rated. E changes it.";else if(!this.mapHere&&!this.withoutMap.has(this.at))this.notice="The map of this item is not here, so nothing was rated. B r\
ates without it, and the rating says so.";else return!0;return this.showItem(),!1}change(){this.locked=!1,this.notice="",this.showItem()}rateWithoutMap(){this.withoutMap.
add(this.at),this.notice="You rate this item without its map.",this.showItem()}goOn(){let{episode:t}=this.entry.item,e=this.at;this.go(this.at+1),this.at!==e&&(this.
notice=`Rated: episode ${t}. U takes it back.`,this.showItem())}keep(t){if(this.locked){this.mayRate();return}Object.assign(this.draft,t),this.drafts.keep(w(this.
entry.item)),this.showItem()}put(t,e){this.values[t]=e}send(t){let e=t.item&&t.kind==="save"?this.clock.take(w(t.item)):0;return this.outbox.add({queue:this.data.
queue,seconds:e,...t})}saveComment(){let t=this.view.comment.value;t!==(this.draft.comment??this.value?.comment??"")&&(this.draft.comment=t,delete this.draft.typed,
this.drafts.keep(w(this.entry.item)),this.value&&this.save({...this.value},!0))}keepTyping(){this.draft.typed=this.view.comment.value,this.drafts.keep(w(this.entry.
item))}go(t){let e=Math.max(0,Math.min(this.data.entries.length-1,t));this.saveComment(),this.skipping=!1;let n=this.trainedFirst(e);if(n===this.at)return this.
showItem();this.at=n,this.locked=this.value!==null,this.notice="",this.show()}trainedFirst(t){let e=this.data.entries.findIndex((n,o)=>n.training&&!n.skipped&&!this.
values[o]);return e<0||this.data.entries[t].training?t:e}skip(t){this.entry.skipped=!0,this.entry.reason=t,this.send({kind:"skip",item:this.entry.item,reason:t}),
this.go(this.at+1)}undo(){this.saveComment();let t=this.past.pop();t&&(this.put(t.at,t.before),this.at=t.at,this.drafts.put(w(this.entry.item),t.draft),this.refusals.
delete(t.at),this.locked=!1,this.notice=`Undone: episode ${this.entry.item.episode}.`),this.send({kind:"undo",item:t?this.entry.item:null}),this.show()}settle(t){
let e=this.conflicts.get(this.at);if(!e)return;this.conflicts.delete(this.at);let n=this.value;this.drafts.drop(w(this.entry.item)),this.locked=!1,this.put(this.
at,e.value),t&&n?this.save(n):this.showItem()}walkOn(t){this.shelf.walk(this.at,t)}endWalk(t,e){let n=this.clock.take(w(this.entry.item)),o={task:"follow",gave_up:e,
comment:""};this.past.push({at:this.at,before:this.value,draft:{}}),this.put(this.at,o),this.outbox.add({queue:this.data.queue,kind:"walk",item:this.entry.item,
choices:t,gave_up:e,seconds:n}),this.goesOn&&!this.entry.training?this.goOn():this.showItem()}receive(t){this.shelf.take(t),this.root.dataset.shelf=[...this.shelf.
sheets.keys()].join(" "),t.some(({position:e})=>e===this.at)&&(this.showItem(),this.showLeft())}show(){let{item:t}=this.entry;this.places.stay(w(t)),We(this.data,
t),this.clock.turn(w(t)),this.root.dataset.position=String(this.at),this.root.dataset.episode=t.episode,this.showItem(),this.showLeft(),this.shelf.need(this.at)}showItem(){
this.view.show(),this.form.show()}showLeft(){let{sheet:t}=this;this.root.dataset.ready=String(t!==void 0),this.root.classList.toggle("nv-desk-late",t===void 0),
t?.document&&(this.map?.show(t.document),this.replays&&this.replay.show(t.document))}get player(){return this.replay.player}light(t){this.map?.light(t),this.player?.
map.highlight(t)}panTo(t){this.map?.panTo(t),this.player?.map.panTo(t)}get playerStep(){return this.replay.step}playTo(t){this.replay.playTo(t)}mapTold(){return{
hover:t=>this.view.lightText(t),pick:t=>{t.startsWith("n:")?this.form.pickNode?.(Number(t.slice(2))):this.form.pick?.(t.slice(2))}}}commands(){if(this.skipping)
return this.view.reasons();let t=this.locked?[]:this.form.commands();return[...this.view.conflictCommands(),...t,...this.view.commands()]}destroy(){this.saveComment(),
this.stopped.abort(),this.channel.close(),xi(),this.replay.drop(),this.map?.destroy(),this.view.destroy(),this.root.replaceChildren()}};function Nh(s,t){let e=n=>JSON.
stringify(n&&Object.entries(n).sort());return e(s)===e(t)}function ft(s){let t=s instanceof Uint8Array?s:new Uint8Array(s),e=t.indexOf(10);return{digest:new TextDecoder().decode(t.subarray(0,e)),bytes:t.subarray(e+1)}}
function At(s){return JSON.parse(new TextDecoder().decode(s))}var Ri=new Map;function Us(s){let t=Ri.get(s)??{desk:null,post:null,want:null,digest:""};return Ri.set(s,t),t}function Bi({data:s,parentElement:t}){let{digest:e,
bytes:n}=ft(s),o=At(n),i=Us(o.desk);if(i.desk&&i.desk.root.parentElement===t)i.digest!==e&&i.desk.update(o);else{i.desk?.destroy();let a=document.createElement(
"div");t.replaceChildren(a),i.desk=new os(a,o,{post:(h,c)=>i.post?.("actions",{queue:h,actions:c}),want:h=>(i.want?.("ask",h),i.want!==null)})}i.digest=e;let r=i.
desk;return()=>{i.desk===r&&(i.desk=null),r.destroy()}}function zi({data:s,setTriggerValue:t}){let e=Us(s.desk);e.post=t,e.desk?.outbox.receive(s.answers)}function ji({
data:s,setTriggerValue:t}){let e=At(ft(s).bytes),n=Us(e.desk);n.want=t,n.desk?.receive(e.sheets)}var Rh={start:"Click where the walk starts",goal:"Click the goal",again:"Click to choose a new start"},Bh=120,zh=3e3,jh={ArrowUp:[0,-1],ArrowDown:[0,1],ArrowLeft:[
-1,0],ArrowRight:[1,0]},Wh=.4,is=class s{static mount(t,e,n){return new s(t,e,n)}constructor(t,e,n){this.root=t,this.doc=e,this.options=n,this.colors=new Y(t),t.
classList.add("navviz-pick"),this.box=l("div",{class:"nv-pick-map",role:"application","aria-label":"Map: click, or go with the arrow keys and press Enter, to ch\
oose a start and a goal"}),this.tip=l("div",{class:"nv-pick-tip",role:"status"}),this.cursor=null,this.beside=null,this.credit=l("div",{class:"nv-pick-credit"}),
t.append(this.box,this.tip,this.credit);let o=e.frame==="geo"?{crs:L.CRS.EPSG3857,minZoom:11,maxZoom:20}:{crs:L.CRS.Simple,minZoom:-2,maxZoom:8};this.map=L.map(
this.box,{zoomControl:!0,attributionControl:!1,preferCanvas:!0,keyboard:!1,zoomSnap:.25,...o}),this.ground=L.layerGroup().addTo(this.map),this.marks=L.layerGroup().
addTo(this.map),this.map.on("click",i=>{let r=this.nearest(i.containerPoint);r!==null&&this.options.onPick(r)}),this.map.on("mousemove",i=>this.hover(this.nearest(
i.containerPoint))),this.map.on("mouseout",()=>this.hover(this.cursor)),this.box.tabIndex=0,this.box.addEventListener("keydown",i=>this.keyed(i)),this.sized=new ResizeObserver(
()=>this.map.invalidateSize({animate:!1})),this.sized.observe(t),this.show(!0),this.map.setView(e.at[e.around??0]??[0,0],e.frame==="geo"?16:4),(e.frame!=="geo"||
e.ids.length<zh)&&this.map.fitBounds(this.extent())}extent(){let{at:t,rooms:e}=this.doc;return L.latLngBounds([...t,...e.flatMap(n=>n.outline)]).pad(.03)}update(t,e){
let n=this.doc.ids.length===t.ids.length&&this.doc.ids[0]===t.ids[0];n||(this.cursor=this.beside=null),this.doc=t,this.options=e,this.show(!n),!n&&t.frame!=="ge\
o"&&this.map.fitBounds(this.extent(),{animate:!1})}show(t){let e=z(this.root),n=this.root.dataset.theme!==e;this.root.dataset.theme=e,this.root.style.height=`${this.
options.height}px`,(t||n)&&this.drawGround(),this.drawMarks(),this.tip.textContent=this.options.words??Rh[this.options.mode],this.credit.textContent=this.doc.attribution??
""}drawGround(){let{doc:t,colors:e}=this;this.ground.clearLayers(),this.box.style.background=e.get("ground");let n=new Map(t.bends),o=t.links.map(([r,a],h)=>[t.
at[r],...n.get(h)??[],t.at[a]]),i={interactive:!1,smoothFactor:0};for(let r of t.rooms)this.drawRoom(r);if(t.frame==="geo")L.polyline(o,{...i,color:e.get("stree\
t-edge"),weight:6}).addTo(this.ground),L.polyline(o,{...i,color:e.get("street"),weight:4}).addTo(this.ground);else{L.polyline(o,{...i,color:e.get("poi"),weight:1,
opacity:.7}).addTo(this.ground);let r={radius:4,stroke:!1,fillColor:e.get("poi"),fillOpacity:1,interactive:!1};for(let a of t.at)L.circleMarker(a,r).addTo(this.
ground)}for(let r of t.stairs)L.circleMarker(t.at[r],{radius:5,color:e.get("poi"),weight:1.5,fillColor:e.get("ground")}).bindTooltip(l("span",{text:"to another \
floor"})).addTo(this.ground);for(let r of t.pois)L.circleMarker(r.at,{radius:3,stroke:!1,fillColor:e.get("poi"),fillOpacity:.9}).bindTooltip(l("span",{text:r.name})).
addTo(this.ground)}drawRoom({name:t,outline:e}){let{colors:n}=this,o=L.polygon(e,{color:n.get("poi"),weight:1.5,fillColor:n.get("street"),fillOpacity:.35,interactive:!1}).
addTo(this.ground);if(!t)return;let i=o.getBounds(),r=l("span",{class:"nv-pick-room",text:t}),a=L.divIcon({html:r,className:"nv-pick-name",iconSize:[0,0]});L.marker(
[i.getNorth(),i.getCenter().lng],{icon:a,interactive:!1,keyboard:!1}).addTo(this.ground)}drawMarks(){let{doc:t,colors:e}=this;this.marks.clearLayers(),this.hover(
this.cursor),t.route.length&&L.polyline(t.route,{color:e.get("reference"),weight:5,dashArray:"9 7",interactive:!1}).addTo(this.marks),this.mark(t.start,"Start",
{color:e.get("ink"),weight:3,fillColor:e.get("ground"),fillOpacity:1});let n={color:e.get("reference"),weight:4,fillColor:e.get("reference"),fillOpacity:.5};this.
mark(t.goal,t.several?"1":"Goal",n);for(let[o,i]of t.more)this.mark(i,String(o),n)}mark(t,e,n){if(t===null)return;L.circleMarker(this.doc.at[t],{...n,radius:8,interactive:!1}).
bindTooltip(e,{permanent:!0,direction:"right"}).addTo(this.marks)}keyed(t){let e=jh[t.key],n=t.key==="Enter"||t.key===" ";if(!(t.ctrlKey||t.metaKey||t.altKey)){
if(e)this.go(e);else if(n&&this.cursor!==null)this.options.onPick(this.cursor);else return;t.preventDefault(),t.stopPropagation()}}go(t){let{doc:e,map:n}=this,o=e.
more.at(-1)?.[1]??e.goal??e.start??e.around??0,i=this.cursor??o;if(this.cursor!==null){let r=this.towards(i,t,this.links().get(i)??[]);this.cursor=r??this.towards(
i,t,e.at.keys())??i}else this.cursor=o;this.hover(this.cursor),e.at[this.cursor]&&n.panInside(e.at[this.cursor],{padding:[60,60],animate:!1})}towards(t,[e,n],o){
let i=this.map.latLngToContainerPoint(this.doc.at[t]),r=null,a=Number.POSITIVE_INFINITY;for(let h of o){let c=this.map.latLngToContainerPoint(this.doc.at[h]),d=c.
distanceTo(i),p=d?((c.x-i.x)*e+(c.y-i.y)*n)/d:0;if(p<Wh)continue;let u=Array.isArray(o)?-p:d/p;u<a&&(a=u,r=h)}return r}links(){if(this.beside)return this.beside;
let t=new Map,e=(n,o)=>t.set(n,[...t.get(n)??[],o]);for(let[n,o]of this.doc.links)e(n,o),e(o,n);return this.beside=t,t}nearest(t){let e=null,n=Bh;return this.doc.
at.forEach((o,i)=>{let r=this.map.latLngToContainerPoint(o).distanceTo(t);r<n&&(n=r,e=i)}),e}hover(t){this.lit?.remove(),this.lit=t===null?null:L.circleMarker(this.
doc.at[t],{radius:7,color:this.colors.get("lit"),weight:3,fill:!1,interactive:!1}).addTo(this.map)}destroy(){this.sized.disconnect(),this.map.eachLayer(t=>{let e=t;
e._redrawRequest&&(L.Util.cancelAnimFrame(e._redrawRequest),e._redrawRequest=null)}),this.map.remove(),this.root.replaceChildren()}};var qs=new WeakMap;function Wi({data:s,parentElement:t,setTriggerValue:e}){let n={...s.options,onPick:r=>e("picked",r)},o=qs.get(t);if(o)o.update(s.document,n);else{
let r=document.createElement("div");t.append(r),o=is.mount(r,s.document,n),qs.set(t,o)}let i=o;return()=>{qs.delete(t),i.destroy()}}function Di({data:s}){let t=location.
protocol==="https:"?"; Secure":"";document.cookie=`${s.name}=${s.value}; Path=/; Max-Age=${s.max_age_s}; SameSite=Strict${t}`}function Hi({data:s,parentElement:t}){
let e=document.createElement("div");e.className="nv-guide nv-prose";let n=document.createElement("div");n.className="navviz-desk navviz-guidelines",n.append(e),
t.replaceChildren(n),n.dataset.theme=z(n),e.replaceChildren(..._t(s.text));let o=i=>{let r=i.target;r instanceof HTMLTextAreaElement&&r.matches(s.listensTo)&&e.
replaceChildren(..._t(r.value))};return document.addEventListener("input",o),()=>document.removeEventListener("input",o)}var Dh=300,rs=new WeakMap,mt=null;async function Fi({data:s,parentElement:t,setTriggerValue:e}){let{digest:n,bytes:o}=ft(s),i=rs.get(t);if(i&&(i.send=e),i?.digest===
n)return i.destroy;let r=At(o);if(i){if(i.digest=n,i.listensTo=r.options.listensTo,i.shows===r.options.shows){let h=await i.player;i.digest===n&&await h.update(
r.document)}else i.shows=r.options.shows,i.player=Uh(i,r),await i.player;return i.digest===n&&(i.root.dataset.digest=n),i.destroy}let a=Fh(t,n,e,r);return rs.set(
t,a),await a.player,a.destroy}function Gi({data:s}){let t=ft(s);return mt?.digest!==t.digest&&(mt=t),()=>{}}async function Hh(){return mt&&(mt.entries??=pi(mt.bytes)),
await mt?.entries??[]}function Fh(s,t,e,n){let o=document.createElement("div");s.append(o);let i={digest:t,send:e,shows:n.options.shows,listensTo:n.options.listensTo,
root:o,player:q.mount(o,n.document,Ui(n.options,()=>i)),destroy:()=>{rs.delete(s),r(),i.player.then(a=>{a.destroy(),o.remove()})}},r=Gh(i);return i}function Gh(s){
let t,e=n=>{let o=n.target;!s.listensTo||!(o instanceof HTMLTextAreaElement)||!o.matches(s.listensTo)||(clearTimeout(t),t=setTimeout(()=>s.send("typed",{text:o.
value}),Dh))};return document.addEventListener("input",e),()=>{clearTimeout(t),document.removeEventListener("input",e)}}function Ui(s,t){return{...s,onAction:(e,n,o,i)=>t().
send("action",{name:e,step:n,episode:o??null,cause:i??null}),runIndex:s.episodes?Hh:void 0}}async function Uh(s,{document:t,options:e}){let[n,o]=await Promise.all(
[s.player,$t(t.strings)]);return s.shows!==e.shows||!rs.has(s.root.parentElement)?n:(n.destroy(),new q(s.root,t,Ui(e,()=>s),o))}globalThis.NavVizPlayer=q;globalThis.NavVizStreamlit=Vs;window.dispatchEvent(new Event("navviz-code"));})();
