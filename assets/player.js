/* Built from assets/player/src by `npm run build`; do not edit. */
"use strict";(()=>{var Mo=Object.defineProperty;var To=(s,t)=>{for(var e in t)Mo(s,e,{get:t[e],enumerable:!0})};var Lo=new Set(["class","text","on","data","style"]);function a(s,t={},...e){let n=document.createElement(s);t.class&&(n.className=t.class),t.text!==void 0&&t.text!==
null&&(n.textContent=String(t.text));for(let[o,i]of Object.entries(t.on??{}))n.addEventListener(o,i);for(let[o,i]of Object.entries(t.data??{}))n.dataset[o]=String(
i);for(let[o,i]of Object.entries(t.style??{}))n.style.setProperty(o,i);for(let[o,i]of Object.entries(t))Lo.has(o)||i===void 0||i===null||i===!1||n.setAttribute(
o,i===!0?"":String(i));for(let o of e.flat())o!=null&&o!==!1&&n.append(o);return n}var $o="http://www.w3.org/2000/svg";function y(s,t={},...e){let n=document.createElementNS(
$o,s);for(let[o,i]of Object.entries(t))n.setAttribute(o,String(i));return n.append(...e),n}var w=s=>s.preventDefault();function wt(s,t,e,n,o){let i=a("details",
s,t,e);return i.open=n,t.addEventListener("click",()=>o(!i.open)),i}var Eo={first:"M6 5v14M19 5 9 12l10 7z",previous:"M17 5 7 12l10 7z",play:"M7 4l13 8-13 8z",pause:"\
M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",next:"M7 5l10 7-10 7z",last:"M18 5v14M5 5l10 7-10 7z",keys:"M12 17h.01M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.1",present:"\
M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",search:"M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",copy:"M9 9h11v11H9zM5 15H4V4h11v1",closer:"M12 5\
v14M5 12h14",farther:"M5 12h14",whole:"M4 9V5a1 1 0 0 1 1-1h4M20 9V5a1 1 0 0 0-1-1h-4M4 15v4a1 1 0 0 0 1 1h4M20 15v4a1 1 0 0 1-1 1h-4",close:"M12 3v3M12 18v3M3 \
12h3M18 12h3M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",tiles:"M9 4 3.5 6.5v13L9 17l6 3 5.5-2.5v-13L15 7 9 4zM9 4v13M15 7v13",layers:"M12 4 3 9l9 5 9-5zM4 13l8 4.5L20 1\
3",plan:"M4 4h16v16H4zM4 11h7V4M11 20v-5h9",both:"M3 5h18v14H3zM12 5v14",scene:"M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5"},Ao=new Set(["fi\
rst","previous","play","pause","next","last"]);function xt(s){let t=Ao.has(s)?"nv-icon nv-filled":"nv-icon";return y("svg",{viewBox:"0 0 24 24",class:t,"aria-hi\
dden":"true"},y("path",{d:Eo[s]}))}function v(s,t,e,n={}){return a("button",{...{type:"button",class:"nv-button",title:t,"aria-label":t,data:n},on:{mousedown:w,
click:e}},xt(s))}function Z(s){let t=s.target instanceof Element?s.target.closest("[data-ref]"):null;return t instanceof HTMLElement||t instanceof SVGElement?t.
dataset.ref??null:null}function M(s,t=0){return s==null?"–":s.toLocaleString("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})}function X(s){return s==null?"–":`$${M(s,s<
.1?4:2)}`}function bt(s){if(s==null)return"–";if(s<90)return`${M(s,1)} s`;let t=Math.round(s);return`${Math.floor(t/60)} min ${t%60} s`}function T(s,t=1){return s==
null?"–":`${M(s,t)} m`}var U=s=>String(Math.round(s*1e3)/1e3),N=(s,t,e)=>`${M(s)} ${s===1?t:e}`,vt=s=>s.length>12?`${s.slice(0,6)}…`:s;var ss=(s,t)=>Math.atan2(t[0]-s[0],t[1]-s[1])*180/Math.PI,St=s=>((s+180)%360+360)%360-180;function Te(s,t,e){let n=t*Math.PI/180;return[s[0]+e*Math.sin(n),s[1]+
e*Math.cos(n)]}var ns=s=>Math.floor(((s%360+360)%360+22.5)/45)%8;var Le=4,F=s=>`stage-${s%Le+1}`;function Tt(s,t){return s.findIndex(({first:e,last:n})=>e!==void 0&&n!==void 0&&t>=e&&t<=n)}function os(s,t,e,n){let o=[0,...s.flatMap(
({first:i})=>i===void 0?[]:[i]),e];return n>0?o.find(i=>i>t):o.findLast(i=>i<t)}var Mt=class{constructor(t,e){this.line=t,this.bands=a("div",{class:"nv-bands"}),
this.second=a("div",{class:"nv-second"}),e.before(this.bands),e.after(this.second),this.bandNodes=[]}get doc(){return this.line.doc}build(){let{stages:t,episode:e}=this.
doc,n=t.filter(({first:o})=>o!==void 0);this.bands.hidden=n.length===0,this.second.hidden=e.step_tasks.length===0,this.bandNodes=t.map((o,i)=>this.band(o,i)),this.
bands.replaceChildren(...this.bandNodes,...t.flatMap((o,i)=>this.marks(o,i))),this.second.replaceChildren(...e.step_tasks.map(o=>this.stepTask(o)))}place(t,e){let n=this.
line.left(t);return{left:`${n}%`,width:`${this.line.left(e+1)-n}%`}}band({first:t,last:e,status:n},o){if(t===void 0||e===void 0)return a("div",{class:"nv-band",
style:{display:"none"}});let i=this.doc.episode.tasks[o],r=i?.target??i?.description??"",l={...this.place(t,e),"--nv-stage":`var(--nv-${F(o)})`},c={click:()=>this.
line.player.toStage(o)},h=`Part ${o+1}: ${i?.description??""} · ${n}`;return a("div",{class:"nv-band",data:{stage:o+1},title:h,style:l,on:c},a("span",{text:`${o+
1}  ${r}`}))}marks({state:t,status:e,stops:n,last:o,oracle:i},r){let l=[];if(i!==void 0){let c=`Step ${i}: first within reach of target ${r+1}`;l.push(a("div",{
class:"nv-oracle",title:c,style:{left:`${this.line.middle(i)}%`}}))}if(n&&o!==void 0){let c=t==="reached",h=`nv-flagpole ${c?"nv-good":"nv-missed"}`,d=`Step ${o}\
: stops for target ${r+1}: ${e}`,p={flag:c?"good":"bad",step:o};l.push(a("div",{class:h,title:d,data:p,style:{left:`${this.line.middle(o)}%`}}))}return l}stepTask({
first:t,last:e,instruction:n,segments:o}){let i=o.map(([c,h,d])=>{let p=e+1-t,u={left:`${100*(c-t)/p}%`,width:`${100*(h+1-c)/p}%`},f=d==="move_forward"?"forward":
d==="zigzag"?"zigzag":d.includes("left")?"left":"right";return a("div",{class:"nv-stretch-part",data:{part:f},title:`Steps ${c}–${h}: ${d}`,style:u})}),r=`Ste\
p task, steps ${t}–${e}: ${n}`,l={click:()=>this.line.player.jump(t)};return a("div",{class:"nv-steptask",title:r,style:this.place(t,e),on:l},i,a("span",{text:n}))}show(t){
this.doc.stages.forEach(({first:e,last:n},o)=>{let i=e!==void 0&&n!==void 0&&t>=e&&t<=n;this.bandNodes[o].classList.toggle("nv-now",i)})}};function I(s,t,{text:e="",title:n="",ref:o,pane:i="nv-signs",raise:r=0}={}){let l=a("div",{class:`nv-sign ${t}`,title:n,data:o?{ref:o}:{}},a("span",{text:e})),c=L.
divIcon({html:l,className:"nv-sign-icon",iconSize:[22,22]});return L.marker(s,{icon:c,pane:i,keyboard:!1,interactive:!1,zIndexOffset:r})}var Lt=class{constructor(){
let t=y("svg",{viewBox:"-16 -16 32 32"},y("circle",{r:13}),y("path",{d:"M0-9 6.5 8 0 4.6-6.5 8z"}));this.arrow=a("div",{class:"nv-agent"}),this.pointed=0,this.arrow.
append(t);let e=L.divIcon({html:this.arrow,className:"nv-agent-icon",iconSize:[30,30]});this.marker=L.marker([0,0],{icon:e,pane:"markerPane",interactive:!1,keyboard:!1,
zIndexOffset:900})}place(t,e,n,o){if(!e){this.marker.remove();return}this.marker.setLatLng(e).addTo(t),this.arrow.classList.toggle("nv-no-heading",n===void 0),this.
arrow.classList.toggle("nv-elsewhere",o),this.pointed+=St((n??0)-this.pointed),this.arrow.style.setProperty("--nv-heading",`${this.pointed}deg`)}remove(){this.marker.
remove()}};function is(s){let{episode:t}=s.doc,e=$e(s,s.start,"nv-sign-start","Start",-200);t.tasks.length||$e(s,s.goal,"nv-sign-goal","Goal",-100),t.tasks.forEach((o,i)=>{
let r=s.mainGoal(o);r!==void 0&&Oo(s,r,i,o)});let n=s.doc.end?s.walked.at(-1):void 0;return{start:e,stop:$e(s,n,"nv-sign-stop","Stop",0),stopNode:n}}function $e(s,t,e,n,o){
let i=s.spotAt(t);return i&&s.here(t)?s.add(I(i,e,{ref:n,pane:"markerPane",raise:o}),"ends"):null}function Oo(s,t,e,n){let o=s.spotAt(t);if(!o||!s.here(t))return;
let i=`Target ${e+1}: ${n.target??n.description}`,r=`nv-sign-target nv-sign-target-${e%Le+1}`;s.add(I(o,r,{text:String(e+1),title:i,pane:"markerPane",raise:-50}),
"ends").getElement()?.setAttribute("data-target",String(e+1))}function rs(s){let t=s.step<s.doc.steps.length;s.ends.stop?.getElement()?.classList.toggle("nv-lat\
er",t),s.ends.stop?.setZIndexOffset(t?-100:950),s.ends.start?.getElement()?.classList.toggle("nv-under",s.standing===s.start)}function $t(s){let{episode:t,steps:e}=s.
doc,n=[[s.start,"Start","nv-tag-end"],[t.tasks.length?void 0:s.goal,"Goal","nv-tag-goal"]];for(let o of t.tasks)n.push([s.mainGoal(o),o.target??"Target","nv-tag\
-goal"]);return s.step===e.length&&n.push([s.ends.stopNode,"Stop","nv-tag-stop"]),n.flatMap(([o,i,r])=>{let l=s.spotAt(o),c=o===s.standing?20:13;return l&&s.here(
o)?[{spot:l,text:i,look:r,gap:c,weight:650,size:.93,must:!0}]:[]})}function ls(s){_o(s);let t=s.house.rooms.length?Co(s):No(s);return Io(s),Ro(s),Po(s),t}function _o(s){let{color:t}=s.api;for(let{floor:e,outline_m:n}of s.house.
outlines){if(e!==s.floor)continue;let o=n.map(([r,l])=>[l,r]),i={color:t("mute"),weight:1,opacity:.6,dashArray:"2 3",fillColor:t("paper"),fillOpacity:.8};s.add(
L.polygon(o,s.on("ground",i)),"ground")}}function Co(s){let{color:t}=s.api,e=[],n=s.house.rooms.filter(o=>o.floor===s.floor);for(let{box_m:[o,i,r,l]}of n){let c=s.
on("ground",{color:t("mute"),weight:1.5,fillColor:t("paper"),fillOpacity:1,lineJoin:"miter"});e.push({layer:s.add(L.rectangle([[i,o],[l,r]],c),"ground"),width_m:.1,
least:1.5})}for(let{at_m:[o,i]}of s.house.doors.filter(r=>r.floor===s.floor)){let r=n.some(({box_m:[d,,p]})=>Math.abs(d-o)<.01||Math.abs(p-o)<.01),[l,c]=r?[0,.45]:
[.45,0],h=s.on("ground",{color:t("paper"),lineCap:"butt"});e.push({layer:s.add(L.polyline([[i-c,o-l],[i+c,o+l]],h),"ground"),width_m:.16,least:3})}return e}function No(s){
let{links:t}=s.doc,e=[];for(let r=0;r<t.length;r+=2)s.here(t[r])&&s.here(t[r+1])&&e.push(s.way([t[r],t[r+1]]));let n=s.api.color("street"),o=s.on("ground",{stroke:!1,
fillColor:n,fillOpacity:1});for(let r of cs(s))s.add(L.circle(s.spotOf(r),{...o,radius:1.7/2}),"ground");return e.length?[{layer:s.add(L.polyline(e,s.on("ground",
{color:n,smoothFactor:0})),"ground"),width_m:1.7,least:4}]:[]}var cs=s=>s.doc.nodes.ids.map((t,e)=>e).filter(t=>s.here(t));function Io(s){let{links:t}=s.doc,e=s.
api.color("node"),n=[],o=[];for(let i=0;i<t.length;i+=2){let[r,l]=[t[i],t[i+1]];s.here(r)&&s.here(l)?n.push(s.way([r,l])):s.here(r)?o.push(as(s,r,l)):s.here(l)&&
o.push(as(s,l,r))}s.add(L.polyline(n,s.on("ground",{color:e,weight:1.1})),"ground"),s.ways=o}function as(s,t,e){let{color:n}=s.api,[o,i]=[s.metresOf(t),s.metresOf(
e)],r=Math.hypot(i[0]-o[0],i[1]-o[1])||1,[l,c]=[(i[0]-o[0])/r,(i[1]-o[1])/r],h=[];for(let d=.28;d<r;d+=.28){let[p,u]=[o[0]+l*d,o[1]+c*d];h.push([[u+l*.32,p-c*.32],
[u-l*.32,p+c*.32]])}return s.add(L.polyline([s.line([t,e])],s.on("ground",{color:n("node"),weight:1.1,dashArray:"3 3"})),"ground"),s.add(L.polyline(h,s.on("grou\
nd",{color:n("mute"),weight:1.4,lineCap:"butt"})),"ground"),{spot:s.spotOf(e),up:i[2]>o[2],floor:s.floorOf(e)??0}}function Ro(s){let{color:t}=s.api,e=s.on("grou\
nd",{radius:2.6,stroke:!1,fillColor:t("poi"),fillOpacity:1}),n=s.on("ground",{radius:3,color:t("poi"),weight:1.5,fillColor:t("ground"),fillOpacity:1});for(let o of cs(
s))s.add(L.circleMarker(s.spotOf(o),s.stairs.has(o)?n:e),"ground")}function Po(s){if(!s.layers.shows("pois"))return;let t=s.on("ground",{radius:1.9,stroke:!1,fillColor:s.
api.color("mute"),fillOpacity:.7});for(let e of s.doc.pois)s.placeHere(e.at)&&s.add(L.circleMarker(s.spot(e.at),t),"ground")}var Et=3;function hs(s){return!!s.observation?.format.startsWith("panorama")||s.panels.some(t=>t.kind==="directions")}function ds(s,t,e){let{color:n}=s.api,o=s.
metresOf(t),i=ns(e),r=(h,d)=>s.spot(Te(o,h,d)),l=Array.from({length:10},(h,d)=>r(i*45-22.5+5*d,Et));s.add(L.polygon([s.spotOf(t),...l],s.on("walk",{stroke:!1,fillColor:n(
"seen"),fillOpacity:.2})),"step"),s.add(L.circle(s.spotOf(t),{...s.on("walk",{color:n("seen-ink"),weight:1,dashArray:"2 4",fill:!1}),radius:Et}),"step");let c=Array.
from({length:8},(h,d)=>[r(d*45+22.5,.55*Et),r(d*45+22.5,Et)]);s.add(L.polyline(c,s.on("walk",{color:n("seen-ink"),weight:1,opacity:.5})),"step")}function ps(s,t,e){
let n=typeof t.node=="number"?s.metresOf(t.node):null;return(t.observation?.pois??[]).flatMap(o=>{let i=/^(left|right) ([\d.]+)/.exec(o.direction??"");if(i&&e!==
void 0&&n&&o.distance_m!==void 0){let r=e+(i[1]==="left"?-1:1)*Number(i[2]);return[{...o,at:[...Te(n,r,o.distance_m),n[2]]}]}return o.at&&!o.approximate?[{...o,
at:o.at}]:[]})}var Bo=14,zo=22;function us(s){let t=s.spotAt(s.standing),e=s.floorOf(s.standing);if(!t||e===null||e===s.floor)return[];let n=`agent: ${s.house.floors[e].name}`;
return[{spot:t,text:n,look:"nv-tag-stop",gap:14,weight:650,must:!0}]}function fs(s){return s.house.rooms.filter(t=>t.floor===s.floor&&t.name).map(({name:t,box_m:[
e,n,o,i]})=>({spot:[(n+i)/2,(e+o)/2],text:t,look:"nv-tag-room",weight:650,centred:!0,within:[[i,e],[n,o]]}))}function ms(s){let t=s.doc.steps[s.step-1];return!t||
s.scale<Bo||!s.layers.shows("candidates")?[]:s.candidates(t).flatMap(e=>{let n=s.spotAt(e.node),o=Ee(s,e);return n&&o&&s.here(e.node)?[{spot:n,text:o,look:`nv-t\
ag-${e.state}`,gap:10,weight:600}]:[]})}function gs(s){return s.ways.map(({spot:t,up:e,floor:n})=>({spot:t,text:`${e?"↑":"↓"} ${s.house.floors[n].name}`,look:"\
nv-tag-name",weight:600,gap:6}))}function*ys(s){if(!(s.scale<zo||!s.layers.shows("pois")))for(let t of s.doc.pois){if(!s.placeHere(t.at))continue;let e=jo(s,t.at);
yield{spot:s.spot(t.at),text:t.name,look:"nv-tag-name",gap:5,size:.78,within:e}}}function jo(s,[t,e]){let n=s.house.rooms.find(({floor:c,box_m:[h,d,p,u]})=>c===
s.floor&&t>=h&&t<=p&&e>=d&&e<=u);if(!n)return;let[o,i,r,l]=n.box_m;return[[l,o],[i,r]]}function Ee(s,t){let{angle_deg:e,distance_m:n}=t;return[e===void 0?null:Math.
abs(e)<.5?"ahead":`${e<0?"left":"right"} ${Math.abs(e).toFixed(0)}°`,n===void 0?null:T(n),typeof t.node=="number"&&!s.here(t.node)?"other floor":null].filter(Boolean).
join(", ")}var Fo=Math.PI/4,Ho=1.04,[Do,Wo]=[.2,6],At=(s,t)=>s[0]*t[0]+s[1]*t[1]+s[2]*t[2],ks=(s,t)=>[s[1]*t[2]-s[2]*t[1],s[2]*t[0]-s[0]*t[2],s[0]*t[1]-s[1]*t[0]],ws=s=>{let t=Math.
hypot(...s);return[s[0]/t,s[1]/t,s[2]/t]};function bs(s,t,e){let n=ws(t),o=ws(ks([0,0,1],n)),i=ks(n,o),r=Math.tan(Fo/2)/Ho,[l,c]=xs(s,o,n,r*e),[h,d]=xs(s,i,n,r),
p=Math.min(Wo,Math.max(Do,c,d)),u=f=>[0,1,2].map(g=>o[g]*l+i[g]*h+n[g]*f);return{eye:u(p),center:u(0)}}function xs(s,t,e,n){let o=Math.max(...s.map(r=>At(r,e)+At(
r,t)/n)),i=Math.max(...s.map(r=>At(r,e)-At(r,t)/n));return[n*(o-i)/2,(o+i)/2]}function ct(s,t,e){let n=[];for(let o=t;o<e;o+=1){let{skill:i}=s[o],r=!!s[o].walk_back,l=n.at(-1);l&&l.skill===i&&l.back===r?l.to=o+1:n.push({skill:i,back:r,from:o,
to:o+1})}return n}var S=(s,t)=>t===void 0?void 0:s.skills?.[t]?.colour,vs=(s,t)=>s.skills?.find(e=>e.name===t)?.colour,Ot=s=>[...new Set(s.flatMap(t=>t.skill===
void 0?[]:[t.skill]))].sort((t,e)=>t-e),Ae=(s,t)=>s.find(e=>e.sub_goal===t&&e.skill!==void 0)?.skill;var $={type:"scatter3d",hoverinfo:"skip",showlegend:!1},Ss=.9,Ms=36;function _t(s){let{at:t,ids:e}=s.nodes;return n=>typeof n=="number"&&n<e.length?t.slice(3*n,
3*n+3):null}function R(s){let t=s.filter(e=>e!==null);return{x:t.map(e=>e[0]),y:t.map(e=>e[1]),z:t.map(e=>e[2])}}function Oe(s){let t={x:[],y:[],z:[]};for(let e of s){
let{x:n,y:o,z:i}=R(e);t.x.push(...n,null),t.y.push(...o,null),t.z.push(...i,null)}return t}function Ts(s,t){let e=_t(s),n=s.reference.map(e),o=e(s.episode.goal)??
n.at(-1)??null,i=[e(s.episode.start),o],r=["Start","Goal"].filter((d,p)=>i[p]),l=[];for(let d=0;d<s.links.length;d+=2)l.push([e(s.links[d]),e(s.links[d+1])]);let c=[
"circle-open","diamond"].filter((d,p)=>i[p]),h=[t("ink"),t("reference")].filter((d,p)=>i[p]);return[...Vo(s,t),{...$,name:"links",mode:"lines",...Oe(l),line:{color:t(
"node"),width:1.6}},{...$,name:"viewpoints",mode:"markers",...R(s.nodes.ids.map((d,p)=>e(p))),hoverinfo:"none",marker:{size:3.4,color:qo(s,t),line:{width:0}}},{
...$,name:"reference",mode:"lines",...R(n),line:{color:t("reference"),width:7,dash:"dash"}},...Uo(o,s.episode.success_radius_m,t("reference")),{...$,name:"ends",
mode:"markers+text",...R(i),text:r,textposition:"top center",textfont:{color:t("ink"),size:13},marker:{size:6,symbol:c,color:h,line:{width:3,color:t("ink")}}},...Ko(
s,t)]}function _e(s,t,e,n){let o=_t(s),i=(d,p)=>s.steps.slice(d,p).flatMap(u=>u.path.length?u.path:[u.node]).map(o),r=s.steps[e-1],l=o(e===0?s.episode.start:r?.
node),c=e===0?s.episode.start_heading_deg:r?.heading_deg,h=i(0,e);return[{...$,name:"ahead",mode:"lines",...R([h.at(-1)??null,...i(e,s.steps.length)]),line:{color:t(
"agent"),width:2,dash:"dot"}},{...$,name:"walked",mode:"lines",...R(h),line:{color:Ce(s,t,e),width:6}},{...$,name:"facing",mode:"lines",...R(Go(l,c)),line:{color:t(
"agent"),width:9}},{...$,name:"agent",mode:"markers",...R([l]),marker:{size:8,color:t("agent"),line:{width:2,color:t("paper")}}},{...$,name:"light",mode:"marker\
s",...R(n),marker:{size:11,color:t("lit"),opacity:.8}}]}function Ce(s,t,e){if(!s.skills)return t("agent");let n=_t(s);return s.steps.slice(0,e).flatMap(o=>(o.path.
length?o.path:[o.node]).filter(r=>n(r)!==null).map(()=>S(s,o.skill)??t("agent")))}function Go(s,t){if(!s||t===void 0)return[];let e=t*Math.PI/180;return[s,[s[0]+
Ss*Math.sin(e),s[1]+Ss*Math.cos(e),s[2]]]}function qo(s,t){let e=[t("mute"),t("poi"),t("landmark")];return(s.indoor?.floor_of??[]).map(n=>e[n%e.length])}function Uo(s,t,e){
if(!s)return[];let[n,o,i]=s,r=c=>Array.from({length:Ms+1},(h,d)=>{let p=2*Math.PI*d/Ms;return c(t*Math.cos(p),t*Math.sin(p))}),l=[r((c,h)=>[n+c,o+h,i]),r((c,h)=>[
n+c,o,i+h]),r((c,h)=>[n,o+c,i+h])];return[{...$,name:"goal sphere",mode:"lines",...Oe(l),opacity:.55,line:{color:e,width:2}}]}function Vo(s,t){let{rooms:e,floors:n}=s.
indoor??{rooms:[],floors:[]};if(!e.length)return[];let o={x:[],y:[],z:[],i:[],j:[],k:[]},i=[];for(let{box_m:[r,l,c,h],floor:d}of e){let p=o.x.length,u=n[d].level_m;
o.x.push(r,c,c,r),o.y.push(l,l,h,h),o.z.push(u,u,u,u),o.i.push(p,p),o.j.push(p+1,p+2),o.k.push(p+2,p+3),i.push([[r,l,u],[c,l,u],[c,h,u],[r,h,u],[r,l,u]])}return[
{type:"mesh3d",name:"rooms",...o,color:t("area-building"),opacity:.35,hoverinfo:"skip",showlegend:!1},{...$,name:"walls",mode:"lines",...Oe(i),line:{color:t("mu\
te"),width:1.5}}]}function Ko(s,t){return s.compare?[{...s.compare,tint:t("other")},...(s.further??[]).map(n=>({...n,tint:n.colour}))].map(({steps:n,tint:o})=>({
...$,name:"compared",mode:"lines",...R(n.flatMap(i=>i.path.length?i.path:[i.node]).map(_t(s))),line:{color:o,width:5,dash:"longdashdot"}})):[]}var Zo=[-.22,-.78,.68],Xo=40,Ls=90,Jo=900,Yo=3e3,$s={displayModeBar:!1,responsive:!1,scrollZoom:!0},J=class s{constructor(t,e,n,o){this.box=t,this.doc=e,this.api=
n,this.onPoint=o,this.step=0,this.ready=!1,this.gone=!1,this.shown=!0,this.busy=!1,this.stale=!1,this.asked=0,this.cost=0,this.lit=[],this.note=a("p",{class:"nv\
-nothing",text:"Loading the 3-D scene …"}),this.plot=a("div",{class:"nv-plot"}),t.append(this.plot,this.note)}static possible(t){return!!(globalThis.Plotly||t.
options.plotly||t.options.loadPlotly)}static loading=null;static async load({plotly:t,loadPlotly:e}){if(!globalThis.Plotly&&e&&await e(),!globalThis.Plotly&&t&&
(s.loading??=new Promise((n,o)=>{let i={load:()=>n(),error:()=>o(new Error("not reachable"))};document.head.append(a("script",{src:t,async:!0,on:i}))}),await s.
loading.catch(()=>{s.loading=null})),!globalThis.Plotly)throw new Error("plotly's script is not there");return globalThis.Plotly}async start(t){this.step=t;let{
options:e}=this.api,n=e.plotlyNote,o=n?setTimeout(()=>this.note.replaceChildren(n),Yo):0;try{this.plotly=await s.load(e)}catch{this.note.textContent="The 3-D sc\
ene is not there: plotly's script could not be loaded.";return}if(clearTimeout(o),!this.gone){if(this.stale=!1,await this.plotly.newPlot(this.plot,this.traces(),
this.layout(),$s),this.gone){this.plotly.purge(this.plot);return}this.note.remove(),this.ready=!0,this.box.dataset.ready="true",this.plot.on("plotly_hover",i=>this.
onPoint(As(i))),this.plot.on("plotly_unhover",()=>this.onPoint(null)),this.plot.on("plotly_click",i=>{let r=As(i);r&&this.api.pick(r)}),this.resize(),this.stale&&
this.later()}}traces(){let t=Ts(this.doc,this.api.color);return this.moving=t.length,[...t,..._e(this.doc,this.api.color,this.step,this.lit)]}layout(){let t={visible:!1,
showgrid:!1,zeroline:!1,showspikes:!1},e=this.api.color("ground"),n=this.edges(),[o,i,r]=n.map(B=>({...t,range:B})),l=n.map(([B,kt])=>kt-B),c=Math.max(...l),[h,
d,p]=l.map(B=>B/c),{clientWidth:u,clientHeight:f}=this.box,g=this.corners().map(B=>B.map((kt,j)=>(kt-(n[j][0]+n[j][1])/2)/c)),{eye:E,center:A}=bs(g,Zo,(u||1)/(f||
1)),q={x:0,y:0,z:1},Se={eye:Es(E),center:Es(A),up:q,projection:{type:"perspective"}};return{margin:{l:0,r:0,t:0,b:0},paper_bgcolor:e,showlegend:!1,uirevision:"s\
tay",hovermode:"closest",width:u||300,height:f||300,scene:{aspectmode:"manual",aspectratio:{x:h,y:d,z:p},xaxis:o,yaxis:i,zaxis:r,uirevision:"stay",bgcolor:e,camera:Se}}}corners(){
let{nodes:t,indoor:e}=this.doc,n=t.ids.map((o,i)=>t.at.slice(3*i,3*i+3));for(let{box_m:o,floor:i}of e?.rooms??[]){let r=e?.floors[i].level_m??0;for(let l of[o[0],
o[2]])for(let c of[o[1],o[3]])n.push([l,c,r])}return n.length?n:[[0,0,0]]}edges(){let t=this.corners();return[0,1,2].map(e=>[Math.min(...t.map(n=>n[e]))-.4,Math.
max(...t.map(n=>n[e]))+.4])}showStep(t){this.step=t,this.later()}highlight(t){this.lit=t,this.later()}later(){this.stale=!0,!(!this.ready||!this.shown)&&(this.asked=
performance.now(),!this.busy&&(this.busy=!0,this.follow()))}turn(t){this.shown=t,t&&this.stale&&this.later()}async follow(){for(;this.stale&&this.shown&&!this.gone&&
this.plotly;){await this.calm(),this.stale=!1;let t=performance.now();await this.draw(),this.cost=performance.now()-t}this.busy=!1}async calm(){await new Promise(
n=>requestAnimationFrame(()=>setTimeout(n,0)));let t=performance.now(),e=()=>performance.now()-this.asked>Ls;for(;this.cost>Xo&&!e()&&performance.now()-t<Jo;)await new Promise(
n=>setTimeout(n,Ls/3))}async draw(){let t=_e(this.doc,this.api.color,this.step,this.lit),e=o=>t.map(i=>i[o]),n=t.map((o,i)=>(this.moving??0)+i);await this.plotly?.
restyle(this.plot,{x:e("x"),y:e("y"),z:e("z")},n),await this.recolour(t.findIndex(o=>o.name==="walked")),await new Promise(o=>requestAnimationFrame(()=>setTimeout(
o,0)))}async recolour(t){if(!this.doc.skills||!this.plotly||this.gone)return;let e=Ce(this.doc,this.api.color,this.step);await this.plotly.restyle(this.plot,{"l\
ine.color":[e]},[(this.moving??0)+t])}redraw(){if(!this.ready)return;let t=this.plot.layout.scene?.camera,e=this.layout();t&&Object.assign(e.scene,{camera:t}),this.
plotly?.react(this.plot,this.traces(),e,$s)}update(t){this.doc=t,this.redraw()}resize(){let{clientWidth:t,clientHeight:e}=this.box;if(!this.ready||t<=20)return;
let{layout:n}=this.plot;(n.width!==t||n.height!==e)&&this.plotly?.relayout(this.plot,{width:t,height:e})}destroy(){this.gone=!0,this.ready&&this.plotly?.purge(this.
plot)}},Es=([s,t,e])=>({x:s,y:t,z:e});function As({points:s}){let t=s?.[0];return t?.data?.name==="viewpoints"?`n:${t.pointNumber}`:null}function Os(s,t){s.groups.light.clearLayers();for(let e of s.box.querySelectorAll(".nv-sign.nv-lit"))e.classList.remove("nv-lit");for(let e of t){for(let n of s.
api.resolve(e,s.step).at)Qo(s,s.spot(n),s.refHere(e,n));for(let n of s.box.querySelectorAll(`.nv-sign[data-ref="${CSS.escape(e)}"]`))n.classList.add("nv-lit")}}
function Qo(s,t,e){let{color:n}=s.api,o={radius:15,color:n("lit"),weight:4,fillColor:n("lit"),fillOpacity:e?.25:.1,dashArray:e?void 0:"4 4"};if(s.add(L.circleMarker(
t,s.on("walk",o)),"light"),!e)return;let i={radius:5,color:n("ground"),weight:1.5,fillColor:n("lit"),fillOpacity:1};s.add(L.circleMarker(t,s.on("walk",i)),"ligh\
t")}var Ne=(s,t)=>s[0]<t[2]&&s[2]>t[0]&&s[1]<t[3]&&s[3]>t[1],ti=(s,t)=>s[0]>=t[0]&&s[1]>=t[1]&&s[2]<=t[2]&&s[3]<=t[3];function _s({at:[s,t],width:e,height:n,gap:o,within:i,
left:r,must:l},c,h){let d=n/2,p=[s+o,t-d,s+o+e,t+d],u=[s-o-e,t-d,s-o,t+d],f=[...r?[u,p]:[p,u],[s-e/2,t-o-n,s+e/2,t-o],[s-e/2,t+o,s+e/2,t+o+n]],g=f.filter(A=>ti(
A,i??h));return g.find(A=>!c.some(q=>Ne(A,q)))??(l?g[0]??f[0]:null)}function Cs(s,t,[e,n,o,i],r,l=[]){let c=Math.min(8,(i-n)*.08);if(s>o-e-2*c||t>i-n-2*c)return null;
let h=[(e+o-s)/2,e+c,o-s-c],p=[n+c,i-t-c,(n+i-t)/2].flatMap(f=>h.map(g=>[g,f,g+s,f+t])).filter(f=>!l.some(g=>Ne(f,g)));if(!p.length)return null;let u=p.map(f=>r.
filter(g=>Ne(f,g)).length);return p[u.indexOf(Math.min(...u))]}function Ns(s,t){let e=[];for(let n=0;n+1<s.length;n+=1){let[o,i]=[s[n],s[n+1]],r=Math.min(60,Math.
max(1,Math.ceil(Math.hypot(i[0]-o[0],i[1]-o[1])/(2*t))));for(let l=0;l<=r;l+=1){let c=o[0]+(i[0]-o[0])*l/r,h=o[1]+(i[1]-o[1])*l/r;e.push([c-t,h-t,c+t,h+t])}}return e}var ei=120,Is=32,si=90,ni=.86,oi=11,Ct=class{constructor(t){this.view=t,this.group=L.layerGroup().addTo(t.map),this.shown={tags:new Map,names:new Map},this.tagged=
null,this.taken=[],this.said=[],this.words=[],this.waiting=void 0,this.type=null}forget(){this.type=null}tags(){let{view:t}=this;t.gone||!t.map.getSize().x||(this.
taken=[...this.furniture(),...this.signs(),...this.paths()],this.words=[],this.said=[],this.fill("tags",t.tags()),this.tagged=[this.taken.length,this.words.length,
this.said.length])}soon(){clearTimeout(this.waiting),this.waiting=setTimeout(()=>this.names(),ei)}moved(){this.tagged=null,this.soon()}names(){let{view:t}=this;
t.gone||!t.map.getSize().x||(this.tagged?[this.taken.length,this.words.length,this.said.length]=this.tagged:this.tags(),this.fill("names",t.names(),t.nameRoom()))}fill(t,e,n=Number.
POSITIVE_INFINITY){let o=this.shown[t],i=new Map;this.shown[t]=i;for(let r of e){if(i.size>=n)break;let l=this.place(r);if(!l)continue;let c=JSON.stringify([r.spot,
r.look,l]);i.set(c,o.get(c)??this.marker(r,l).addTo(this.group)),o.delete(c)}for(let r of o.values())this.group.removeLayer(r)}place({spot:t,text:e,gap:n=8,weight:o=500,
size:i=ni,left:r,must:l,centred:c,within:h}){let{map:d}=this.view,p=d.latLngToContainerPoint(t),u=d.getSize();if(this.said.some(([Me,So])=>Me===e&&So.distanceTo(
p)<si))return null;let f=e.length>Is?`${e.slice(0,Is-2).trimEnd()}…`:e,[g,E]=this.measure(f,o,i),A=h?.map(Me=>d.latLngToContainerPoint(Me)),q=A?[A[0].x,A[0].y,
A[1].x,A[1].y]:void 0,Se=[p.x,p.y],B=[2,2,u.x-2,u.y-2],j=q&&c?Cs(g,E,q,this.taken,this.words):_s({at:Se,width:g,height:E,gap:n,within:q,left:r,must:l},this.taken,
B);if(!j)return null;this.taken.push(j),this.words.push(j),this.said.push([e,p]);let vo={left:`${j[0]-p.x}px`,top:`${j[1]-p.y}px`,width:`${g}px`,height:`${E}px`,
"font-size":`${E/1.3}px`,"font-weight":String(o)};return{words:f,style:vo}}marker({spot:t,look:e},{words:n,style:o}){let i=a("div",{class:`nv-tag ${e}`,text:n,style:o}),
r=L.divIcon({html:i,className:"nv-tag-icon",iconSize:[0,0]});return L.marker(t,{pane:"nv-labels",interactive:!1,keyboard:!1,icon:r})}measure(t,e,n){this.type??=
this.readType();let o=Math.max(oi,this.type.px*n);return this.type.pen.font=`${e} ${o}px ${this.type.face}`,[Math.ceil(this.type.pen.measureText(t).width)+4,o*1.3]}readType(){
let t=getComputedStyle(this.view.box),e=document.createElement("canvas").getContext("2d");if(!e)throw new Error("this browser has no canvas");return{pen:e,px:Number.
parseFloat(t.fontSize),face:t.fontFamily}}furniture(){let{view:t}=this,e=[t.tools,t.legend.box,t.credit,...t.plan.querySelectorAll(".nv-floors, .leaflet-control\
-scale")],n=[];for(let o of e){let i=t.boxOf(o);i&&n.push([i[0]-3,i[1]-3,i[2]+3,i[3]+3])}return n}signs(){let{view:t}=this,e=[],n=(i,r)=>{let l=t.map.latLngToContainerPoint(
i);e.push([l.x-r,l.y-r,l.x+r,l.y+r])};for(let i of[t.groups.ends,t.groups.step])i.eachLayer(r=>{r instanceof L.Marker&&n(r.getLatLng(),10)});let o=t.spotAt(t.standing);
return o&&n(o,15),e}paths(){let{view:t}=this;return[t.doc.reference,t.walked].map(n=>t.way(n.filter(o=>t.here(o)))).flatMap(n=>{let o=n.map(i=>t.map.latLngToContainerPoint(
i));return Ns(o.map(i=>[i.x,i.y]),5)})}keepFree(t){let{map:e}=this.view,n=e.getSize();for(let o of t){let{x:i,y:r}=e.latLngToContainerPoint(o);i>0&&r>0&&i<n.x&&
r<n.y&&this.taken.push([i-3,r-3,i+3,r+3])}}destroy(){clearTimeout(this.waiting)}};function Nt(s){try{return JSON.parse(localStorage.getItem(`navviz.${s}`)??"null")}catch{return null}}function ht(s,t){try{localStorage.setItem(`navviz.${s}`,JSON.
stringify(t))}catch{}}var ii={reference:"Reference path",other:"Other run",candidates:"Candidates",seen:"Visible area",memory:"The agent's map",pois:"Places"},It=class{constructor(t){
this.onChange=t,this.off=new Set;let e=Nt("layers.off");if(Array.isArray(e))for(let n of e)this.off.add(String(n));this.list=a("div",{class:"nv-layer-list",hidden:!0}),
this.button=v("layers","Layers",()=>this.toggle(),{tool:"layers"})}shows(t){return!this.off.has(t)}offer(t){this.button.hidden=!t.length,this.list.replaceChildren(
...t.map(e=>this.row(e)))}row(t){let n=a("input",{type:"checkbox",data:{layer:t},on:{change:()=>this.set(t,n.checked)}});return n.checked=this.shows(t),a("label",
{},n,a("span",{text:ii[t]}))}set(t,e){e?this.off.delete(t):this.off.add(t),ht("layers.off",[...this.off]),this.onChange()}toggle(t=this.list.hidden!==!1){this.list.
hidden=!t,this.button.classList.toggle("nv-on",t)}};var Rt=16,Pt=class{constructor(){this.box=a("div",{class:"nv-legend"}),this.said=""}show(t){let e=t.filter(o=>o!==null&&o!==!1&&o!==void 0),n=JSON.stringify(e);
n!==this.said&&(this.said=n,this.box.hidden=!e.length,this.box.replaceChildren(...e.map(([o,i,r])=>{let l=r?{"background-color":r}:{};return a("span",{},a("i",{
class:`nv-key nv-key-${o}`,style:l}),i)})))}room(t){let e=[...this.box.childNodes],{said:n}=this,{hidden:o}=this.box;this.box.classList.remove("nv-legend-up"),this.
show(t);let{offsetLeft:i,offsetTop:r,offsetWidth:l,offsetHeight:c}=this.box;return this.said=n,this.box.hidden=o,this.box.replaceChildren(...e),c?[i,r,i+l,r+c]:
void 0}avoid(t){let{box:e}=this;e.classList.remove("nv-legend-up"),!(!t||e.hidden||!this.covers(t))&&(e.classList.add("nv-legend-up"),this.covers(t)&&e.classList.
remove("nv-legend-up"))}covers({x:t,y:e}){let{offsetLeft:n,offsetTop:o,offsetWidth:i,offsetHeight:r}=this.box;return t>n-Rt&&t<n+i+Rt&&e>o-Rt&&e<o+r+Rt}};var dt={explored:{color:"reference",opacity:.95,word:"explored"},seen:{color:"rejected",opacity:.9,word:"seen"},"pruned now":{color:"bad",dashArray:"3 3",opacity:.95,
word:"pruned now"},"pruned before":{color:"rejected",dashArray:"2 4",opacity:.45,word:"pruned before"}},ri=9,Bt=s=>typeof s=="string"?`nv-place-${s.replaceAll(/[^a-z]+/g,
"-")}`:"";function Ie(s){let t=s?.panels.find(n=>n.kind==="graph"&&Array.isArray(n.data.states));return(Array.isArray(t?.data.nodes)?t.data.nodes:[]).filter(n=>typeof n?.
id=="string"&&typeof n.state=="string")}var Rs=s=>s.steps.some(t=>Ie(t).length>0),Ps=s=>new Set(s.steps.flatMap(t=>Ie(t).map(e=>e.state)).filter(t=>t in dt)),Bs=s=>Object.
keys(dt).filter(t=>s.has(t)).map(t=>[Bt(t).replace("nv-",""),dt[t].word]);function zs(s,t){let e=new Set,n=Ie(t);if(!n.length)return e;let o=new Map(s.doc.nodes.
ids.map((i,r)=>[i,r]));for(let{id:i,state:r}of n){let l=o.get(i),c=Object.hasOwn(dt,r)?dt[r]:void 0,h=s.spotAt(l);if(!c||!h||!s.here(l))continue;let{color:d,dashArray:p,
opacity:u}=c,f={radius:ri,color:s.api.color(d),weight:2.6,opacity:u,dashArray:p,fill:!1};s.add(L.circleMarker(h,s.on("walk",f)),"step"),e.add(r)}return e}function Re(s){let t=s.steps.map(n=>n.observation).filter(n=>n!==void 0);return[["reference",s.reference.length>0],["other",!!s.compare],["candidates",t.some(n=>n.
candidates.length>0)],["seen",t.some(n=>n.visible.length>0)],["memory",Rs(s)],["pois",s.pois.length>0]].filter(([,n])=>n).map(([n])=>n)}function js(s){let{doc:t}=s,
e=Re(t),n=i=>e.includes(i)&&s.layers.shows(i),o=new Set(t.steps.flatMap(i=>(i.observation?.candidates??[]).map(r=>r.state)));return Hs(s,{other:n("other"),seen:n(
"seen"),leaps:t.steps.some(i=>i.jumps?.length),chosen:n("candidates")&&o.has("chosen"),rejected:n("candidates")&&o.has("rejected"),offered:n("candidates")&&o.has(
"offered"),memory:n("memory")?Ps(t):void 0})}function Fs(s,t){return Hs(s,{...t,other:!!s.doc.compare&&s.layers.shows("other")})}function Hs(s,{other:t,seen:e,leaps:n,
chosen:o,rejected:i,offered:r,memory:l}){let{doc:c}=s;return[c.reference.length>0&&s.layers.shows("reference")&&["reference","reference path"],...ai(s),t&&c.compare&&
["other",c.compare.label],...t?(c.further??[]).map(h=>["further",h.label,h.colour]):[],e&&["seen","visible area"],o&&["chosen","chosen"],i&&["rejected","not tak\
en"],r&&["offered",s.offeredWord()],...l?Bs(l):[],n&&["jump","jump"]]}function ai({doc:s,api:t}){if(!s.steps.length)return[];let e=Ot(s.steps);return!s.skills||
!e.length?[["agent",s.label??t.options.agentWord??"agent"]]:[...e.map(n=>["skill",s.skills?.[n].short??"",S(s,n)]),s.steps.some(n=>n.walk_back)&&["back","back t\
o the best stop"]]}function O(s,t,e){let n=s[t];if(n.path.length)return n.path;if(n.node===void 0)return[];let o=t+1<s.length?s[t+1].node:e;return o===void 0||o===n.node?[n.node]:
[n.node,o]}function H(s,t,e,n){let o=[],i=[],r=e>0?O(s,e-1,t).at(-1):void 0;for(let l=e;l<n;l+=1){let c=new Set(s[l].jumps);O(s,l,t).forEach((h,d)=>{let p=h===r,
u=o.at(-1);(d>0?!c.has(d-1):p)&&u?p||u.push(h):(r!==void 0&&!p&&i.push([r,h]),o.push([h])),r=h})}return{lines:o.filter(l=>l.length>1),leaps:i}}function Pe(s){let t=new Map,
e=(n,o)=>{let i=t.get(n);i?i.add(o):t.set(n,new Set([o]))};for(let n=0;n<s.length;n+=2)e(s[n],s[n+1]),e(s[n+1],s[n]);return t}function Ds(s,t,e){let n=new Set(t),
o=new Map,i=new Map;for(let r of s)r.state!=="rejected"?o.set(r,r.state):n.has(r.node)?o.set(r,"way"):i.set(r.node,r),o.has(r)||o.set(r,"branch");for(let r of li(
[...i.keys()],e)){let l=r.filter(h=>Ws(h,e).some(d=>n.has(d))),c=new Set(l.length?l:r.slice(0,1));for(let h of r){let d=i.get(h);d&&!c.has(h)&&o.set(d,"beyond")}}
return o}var Ws=(s,t)=>typeof s=="number"?[...t.get(s)??[]]:[];function li(s,t){let e=new Set(s),n=[];for(let o of s){if(!e.delete(o))continue;let i=[o];for(let r of i)
for(let l of Ws(r,t))e.delete(l)&&i.push(l);n.push(i)}return n}var Gs=["2 6","10 6","14 5 3 5","6 4","3 3","18 6"],Be="butt";function qs(s){let{color:t}=s.api,{doc:e}=s;if(s.layers.shows("reference")){let o={color:t("refere\
nce"),weight:8,opacity:.95,dashArray:"9 7",lineCap:Be};s.drawWay([e.reference],o,"paths","walk")}let n=s.spotAt(s.goal);if(ci(s),n&&s.here(s.goal)&&!e.episode.tasks.
length){let o={color:t("reference"),weight:1.6,opacity:.9,dashArray:"3 4",fillOpacity:.09};s.add(L.circle(n,{...s.on("walk",o),radius:e.episode.success_radius_m}),
"paths")}if(s.layers.shows("other")){e.compare&&hi(s,e.compare);for(let[o,i]of(e.further??[]).entries())di(s,i,o)}}function ci(s){let{episode:t,stages:e}=s.doc;
t.tasks.forEach((n,o)=>{let i=s.api.color(e.length?F(o):"reference"),r=s.mainGoal(n);for(let l of n.goals){let c=s.spotAt(l);if(!c||!s.here(l))continue;let h={color:i,
weight:1.8,dashArray:"4 3",fillColor:i,fillOpacity:.06,stroke:l===r};s.add(L.circle(c,{...s.on("walk",h),radius:t.success_radius_m}),"paths")}})}function hi(s,t){
let{lines:e}=H(t.steps,t.end,0,t.steps.length),n={color:s.api.color("other"),weight:4,dashArray:"12 5 2 5",lineCap:Be};s.drawWay(e,n,"paths","walk"),Us(s,e,"nv-\
sign-other",t.label)}function di(s,t,e){let{lines:n}=H(t.steps,t.end,0,t.steps.length),o=Gs[e%Gs.length];s.drawWay(n,{color:t.colour,weight:3,dashArray:o,lineCap:Be},
"paths","walk");let i=Us(s,n,"nv-sign-further",t.label)?.getElement()?.firstElementChild;i instanceof HTMLElement&&i.style.setProperty("--nv-further",t.colour)}
function Us(s,t,e,n){let o=t.at(-1)?.at(-1),i=s.spotAt(o);return!i||!s.here(o)?null:s.add(I(i,`nv-sign-stop ${e}`,{title:`Stop of ${n}`,pane:"markerPane"}),"end\
s")}function Vs(s){if(!(!s.doc.further?.length||!s.layers.shows("other")))for(let{steps:t,end:e,tint:n}of s.others()){let o=s.step===0?s.start:t[s.step-1]?.node??
e??t.at(-1)?.node,i=s.spotAt(o);if(!i||!s.here(o))continue;let r={radius:6,color:s.api.color("paper"),weight:2,fillColor:n,fillOpacity:1};s.add(L.circleMarker(i,
s.on("walk",r)),"step")}}var pi=s=>s.replace(/[.*+?^${}()|[\]\\]/g,"\\$&"),b=s=>`s:${s.toLowerCase()}`,pt=class{constructor(t){this.tokens=new Map(t.nodes.ids.map((e,n)=>[e,`n:${n}`])),
this.letters=new Map,this.baseLetters=new Map,this.names=new Set;for(let e of t.planning.landmarks)this.addName(e.name,e.letter);for(let e of t.steps)for(let n of e.
observation?.pois??[])this.addName(n.name);this.exact=new Set;for(let e of t.pois.slice(0,400))e.kind&&e.name.length>3&&!this.names.has(e.name)&&this.exact.add(
e.name);this.lower=new Set([...this.names].map(e=>e.toLowerCase())),this.pattern=this.makePattern()}addName(t,e){t&&(t.length>2&&this.names.add(t),e&&this.baseLetters.
set(e,b(t)))}makePattern(){let t=[...this.tokens.keys()].filter(o=>!/^[\w-]+$/.test(o)).slice(0,3e3),e=[...[...this.names].slice(0,400),...this.exact,...t].sort(
(o,i)=>i.length-o.length).map(pi),n=e.length?`(?<![\\p{L}\\p{N}])(${e.join("|")})(?![\\p{L}\\p{N}])`:"($^)";return new RegExp(`${n}|([\\w-]+)|["'\`(]([A-Z])["'\`)]`,
"giu")}setStep(t){this.letters=new Map(this.baseLetters);for(let e of t?.observation?.pois??[])e.letter&&this.letters.set(e.letter,b(e.name))}pieces(t){let e=[],
n=0;for(let o of t.matchAll(this.pattern)){let i=this.refOf(o,t);i&&(o.index>n&&e.push({text:t.slice(n,o.index),ref:null}),e.push({text:o[0],ref:i}),n=o.index+o[0].
length)}return n<t.length&&e.push({text:t.slice(n),ref:null}),e}refOf(t,e){if(t[1])return this.tokens.get(t[1])??(this.isName(t[1])?b(t[1]):null);if(t[3])return this.
letters.get(t[3])??null;let n=t[2],o=this.tokens.get(n)??null;return o&&/^\d{1,4}$/.test(n)&&!/["'`]/.test(e[(t.index??0)-1]??"")?null:o}isName(t){return this.exact.
has(t)||this.lower.has(t.toLowerCase())}letter(t){return/^[A-Z]$/.test(t)?this.letters.get(t):void 0}};var ze=14,ui=10,zt=class{constructor(t){this.view=t,this.mouse=null,this.waiting=null,this.pointed=void 0,this.tip=a("div",{class:"nv-map-tip",hidden:!0}),t.plan.
append(this.tip),this.listen()}listen(){let{map:t}=this.view;t.on("mousemove",e=>{this.mouse=e,this.waiting??=requestAnimationFrame(()=>{this.waiting=null,this.
point()})}),t.on("mouseout",()=>{this.mouse=null,this.leave()}),t.on("movestart",()=>{this.tip.hidden=!0}),t.on("click",e=>{let n=this.nearest(e.containerPoint);
n&&this.view.api.pick(n.ref)})}point(){if(!this.mouse||this.view.gone)return;let t=this.nearest(this.mouse.containerPoint);if(t?.ref!==this.pointed){if(!t){this.
leave();return}this.pointed=t.ref,this.view.api.hover([t.ref]),this.view.highlight([t.ref]),this.showTip(t)}}leave(){!this.pointed&&this.tip.hidden||(this.pointed=
void 0,this.tip.hidden=!0,this.view.api.hover([]),this.view.highlight([]))}nearest(t){let{view:e}=this,n=e.map.containerPointToLatLng(t),o=e.map.containerPointToLatLng(
t.add([ze,-ze])),[i,r]=[Math.abs(o.lat-n.lat),Math.abs(o.lng-n.lng)],l=null,c=ze,h=(p,u)=>{if(Math.abs(p[0]-n.lat)>i||Math.abs(p[1]-n.lng)>r)return;let f=e.map.
latLngToContainerPoint(p),g=f.distanceTo(t);g>=c||(c=g,l={...u,p:f})},d=e.doc.nodes.ids.length;for(let p=0;p<d;p+=1)e.here(p)&&h(e.spotOf(p),{ref:`n:${p}`,node:p});
c=Math.min(c,ui);for(let{at:p,...u}of e.shownPois())h(e.spot(p),{ref:b(u.name),poi:u});return l}showTip({ref:t,node:e,poi:n,p:o}){let{view:i}=this,r=n?[a("b",{text:n.
name}),n.kind??"",n.distance_m===void 0?"":`${n.distance_m.toFixed(1)} m away`]:[a("b",{class:"nv-id",text:vt(i.doc.nodes.ids[e??0])}),...i.nodeFacts(e??0)],l=i.
api.mentions(t);l&&r.push(`in the text ${l===1?"once":N(l,"time","times")}`),this.tip.replaceChildren(...r.filter(Boolean).map(h=>a("div",{},h))),this.tip.hidden=
!1;let c=i.map.getSize();this.tip.style.left=`${Math.min(o.x+16,c.x-this.tip.offsetWidth-8)}px`,this.tip.style.top=`${Math.max(8,Math.min(o.y+14,c.y-this.tip.offsetHeight-
8))}px`}destroy(){this.waiting!==null&&cancelAnimationFrame(this.waiting)}};function Ks(s,t){return je(s.nodes.ids,t.nodes.ids)&&je(s.nodes.crossings,t.nodes.crossings)&&s.pois.length===t.pois.length&&s.pois.every((e,n)=>e.id===t.pois[n].
id)&&s.streets.length===t.streets.length&&s.streets.every((e,n)=>je(e,t.streets[n]))}function je(s,t){return s.length===t.length&&s.every((e,n)=>e===t[n])}var fi=[["ground",210],["walk",420],["move",580]],mi=["ground","paths","ends","step","light"],gi={"nv-signs":560,"nv-chosen":610,"nv-labels":650},Xs=.1,Zs=.4;function Js(s){
let t={};for(let[e,n]of fi){let o=s.createPane(`nv-${e}`);o.style.zIndex=String(n),o.style.pointerEvents="none",t[e]=L.canvas({pane:`nv-${e}`,padding:Xs});let i=t[e],
r=i._redraw;i._redraw=()=>{i._redrawRequest&&L.Util.cancelAnimFrame(i._redrawRequest),i._ctx&&r.call(i)}}for(let[e,n]of Object.entries(gi))s.createPane(e).style.
zIndex=String(n);return t}function Ys(s,t){for(let e of Object.values(t)){if(e.options.padding===Zs)continue;e.options.padding=Zs;let n=e;s.hasLayer(e)&&n._update()}}
function Qs(s){for(let t of Object.values(s))t.options.padding=Xs}function tn(s){return Object.fromEntries(mi.map(t=>[t,L.layerGroup().addTo(s)]))}function en(s,t){let e={leaps:yi(s)};if(!t)return e;let n=O(s.doc.steps,s.step-1,s.end);if(t.observation&&s.layers.shows("seen")&&(e.seen=wi(s,t.observation)),s.
drawAround(t),s.layers.shows("memory")&&(e.memory=zs(s,t)),s.layers.shows("candidates")&&Object.assign(e,xi(s,t,n)),Si(s,n),s.layers.shows("pois"))for(let i of s.
seen())Mi(s,i);let o=t.decision?.legal===!1?s.spotAt(t.decision.target):null;return o&&s.here(t.decision?.target)&&s.add(I(o,"nv-sign-bad",{title:"Illegal decis\
ion",pane:"nv-chosen"}),"step"),e}function yi(s){let{doc:t,step:e,end:n}=s,{color:o}=s.api,i=H(t.steps,n,0,e);for(let r of ct(t.steps,e,t.steps.length)){let{lines:l}=H(
t.steps,n,r.from,r.to),c=S(t,r.skill)??o("agent");s.drawWay(l,{color:c,weight:2,opacity:.75,dashArray:"1 6"},"step","walk")}t.stages.length&&ki(s);for(let r of t.
stages.length?[]:ct(t.steps,0,e)){let{lines:l}=H(t.steps,n,r.from,r.to),c=S(t,r.skill)??o("agent"),h=r.back?"7 6":void 0;s.drawWay(l,{color:c,weight:4,lineJoin:"\
round",dashArray:h},"step","walk")}return s.drawWay(i.leaps,{color:o("bad"),weight:2.5,dashArray:"2 7"},"step","walk"),i.leaps.length>0}function ki(s){let{doc:t,
step:e,end:n}=s;t.stages.forEach(({first:o,last:i},r)=>{if(o===void 0||i===void 0||o>e)return;let{lines:l}=H(t.steps,n,o-1,Math.min(i,e)),c=s.api.color(F(r));s.
drawWay(l,{color:c,weight:4,lineJoin:"round"},"step","walk")})}function wi(s,t){let{color:e}=s.api,n=new Set(t.visible.filter(r=>typeof r=="number"));if(!n.size)
return!1;let o=[];for(let r of n)for(let l of s.near.get(r)??[])r<l&&n.has(l)&&o.push(s.way([r,l]));s.add(L.polyline(o,s.on("walk",{color:e("seen"),weight:20,opacity:.34,
smoothFactor:0,lineCap:"round"})),"step");let i=s.on("walk",{radius:2,stroke:!1,fillColor:e("seen-ink"),fillOpacity:.9});for(let r of s.line([...n]))s.add(L.circleMarker(
r,i),"step");return!0}function xi(s,t,e){let n=s.candidates(t),o=n.find(l=>l.state==="chosen"),i=Ds(n,[...e,...t.node===void 0?[]:[t.node],...o?[o.node,...o.path??
[]]:[]],s.near),r=new Set;for(let[l,c]of i){let h=s.spotAt(l.node);l.path&&l.path.length>1&&l.state!=="chosen"&&bi(s,l),!(!h||!s.here(l.node))&&(r.add(c),vi(s,l,
c,h))}return{chosen:r.has("chosen"),rejected:r.has("branch"),offered:r.has("offered")}}function bi(s,t){let e=t.state==="rejected",n={color:s.api.color(e?"rejec\
ted":"offered"),weight:2,opacity:.85,dashArray:e?"2 4":void 0};s.drawWay([t.path??[]],n,"step","walk")}function vi(s,t,e,n){let{color:o}=s.api,i=[t.state,t.label,
t.reason].filter(Boolean).join(" · ");if(e==="chosen")s.add(I(n,"nv-cand nv-cand-chosen",{title:i,pane:"nv-chosen"}),"step");else if(e==="branch")s.add(I(n,"nv\
-cand nv-cand-rejected",{title:i}),"step");else if(e==="offered"){let r={radius:5,color:o("offered"),weight:2.2,fillColor:o("ground"),fillOpacity:1};s.add(L.circleMarker(
n,s.on("walk",r)),"step")}else{let r={radius:2.6,stroke:!1,fillColor:o("rejected"),fillOpacity:.95};s.add(L.circleMarker(n,s.on("walk",r)),"step")}}function Si(s,t){
if(t.length<2)return;let{color:e}=s.api,n=s.doc.steps[s.step-1],o=Tt(s.doc.stages,s.step),i=e(o<0?"agent":F(o)),r=o<0?S(s.doc,n?.skill)??i:i,l=n?.walk_back?"9 7":
void 0;s.drawWay([t],{color:e("ground"),weight:9,opacity:.95},"step","move"),s.drawWay([t],{color:r,weight:5.5,dashArray:l},"step","move");let c=s.spotAt(t.at(-1));
!c||!s.here(t.at(-1))||s.add(L.circleMarker(c,s.on("move",{radius:6.5,color:r,weight:3,fillColor:e("ground"),fillOpacity:1})),"step")}function Mi(s,t){if(!s.placeHere(
t.at))return;let e=s.spot(t.at),n=s.spotAt(t.node);n&&!t.approximate&&s.add(L.polyline([n,e],s.on("walk",{color:s.api.color("landmark"),weight:1.4,opacity:.9,dashArray:"\
1 4"})),"step");let o=[t.name,t.position??t.direction,t.distance_m===void 0?null:T(t.distance_m),t.approximate?"shown at its node":null],i=t.letter?"nv-sign-let\
ter":"nv-sign-object";s.add(I(e,i,{text:t.letter??"",title:o.filter(Boolean).join(" · "),ref:b(t.name)}),"step")}function sn(s,{tools:t,legend:e,credit:n,floors:o}){let i=Math.min(e?e[1]:s.y,n?n[1]:s.y),r=t?s.x-t[0]:0,l=o?o[2]:0,c=d=>Math.min(d+22,.3*s.x),h=d=>Math.min(d+22,
.3*s.y);return[c(l),h(0),c(r),h(s.y-i)]}var Ti=1.5;function nn(s){let{doc:t}=s,e=()=>s.line(t.nodes.ids.map((l,c)=>c));if(s.api.options.whole&&!t.reference.length)return e();let n=s.others().flatMap(({
steps:l})=>l.flatMap(c=>[c.node,...c.path])),o=t.episode.tasks.flatMap(l=>l.goals),i=s.line([s.start,s.goal,...o,...n]),r=[...s.way(t.reference),...s.way(s.walked),
...i];return r.length?r:e()}var jt=class{constructor(t,e){this.map=t,this.sheets=e,this.placing=!1,this.fitted=null,t.on("movestart",()=>{this.placing||Ys(t,e)})}put(t,e){
Qs(this.sheets),this.placing=!0,e(),this.placing=!1,this.fitted={wish:t,zoom:this.map.getZoom(),center:this.map.getCenter()}}fulfils(t){let{map:e,fitted:n}=this;
return n?.wish!==t||e.getZoom()!==n.zoom?!1:e.latLngToContainerPoint(n.center).distanceTo(e.getSize().divideBy(2))<2}};function on(s,t){let{map:e}=s,n=s.wanted(),
o=e.getSize();if(!n.length||!o.x||!o.y)return;let i=sn(o,s.furniture()),[r,l,c,h]=i,d=L.latLngBounds(n),p=JSON.stringify([o,i,d,s.closest()]);if(s.framing.fulfils(
p))return;let u=e.getBoundsZoom(d,!1,L.point(r+c,l+h)),f=e.getMaxZoom();e.options.minZoom=Math.min(u,s.closest())-Ti;let g=()=>e.fitBounds(d,{paddingTopLeft:[r,
l],paddingBottomRight:[c,h],maxZoom:Math.min(s.closest(),f),animate:t});t?g():s.framing.put(p,g)}function rn(s,t){let{map:e,doc:n}=s,o=s.way(t?O(n.steps,s.step-
1,s.end):[n.episode.start]);if(!o.length||!e.getSize().x)return;let i=L.latLngBounds(o);if(e.getBounds().pad(-.02).contains(i))return;e.getBoundsZoom(i.pad(.2))>=
e.getZoom()?e.panTo(i.getCenter(),{duration:.25}):e.fitBounds(i.pad(.2),{maxZoom:e.getZoom()})}function an(s,t){let{map:e}=s,n=L.latLngBounds(t.map(i=>s.spot(i))),
o=Math.max(e.getZoom(),s.nearZoom());t.length>1?e.fitBounds(n.pad(.4),{maxZoom:o}):e.setView(n.getCenter(),o,{animate:!0})}function Fe(s){let t=s.frame==="geo"?2:3,e=new Map;for(let{ends:n,at:o}of s.bends??[]){let i=[];for(let r=0;r<o.length;r+=t)i.push(o.slice(r,r+t));e.set(`${n[0]}\
 ${n[1]}`,i),e.set(`${n[1]} ${n[0]}`,[...i].reverse())}return e}var Ft=class{constructor(t,e){this.api=e,this.doc=t,this.step=0,this.bends=Fe(t)}turnTo(t){this.doc=t,this.bends=Fe(t),this.step=Math.min(this.step,t.steps.length)}spot(t){
return[t[0],t[1]]}spotOf(t){return[this.doc.nodes.at[2*t],this.doc.nodes.at[2*t+1]]}spotAt(t){return typeof t=="number"&&t>=0&&t<this.doc.nodes.ids.length?this.
spotOf(t):null}line(t){return t.map(e=>this.spotAt(e)).filter(e=>e!==null)}between(t,e){return this.bends.get(`${t} ${e}`)?.map(n=>this.spot(n))??[]}way(t){return t.
flatMap((e,n)=>{let o=this.spotAt(e),i=t[n-1],r=e===void 0||i===void 0?[]:this.between(i,e);return o?[...r,o]:[]})}here(t){return!0}placeHere(t){return!0}partsHere(t){
let e={shown:[],away:[]};for(let n of t){let o=null;for(let i=0;i+1<n.length;i+=1){let[r,l]=[this.spotAt(n[i]),this.spotAt(n[i+1])];if(!r||!l){o=null;continue}let c=this.
here(n[i])||this.here(n[i+1])?e.shown:e.away,h=this.between(n[i],n[i+1]);c===o?c[c.length-1].push(...h,l):c.push([r,...h,l]),o=c}}return e}candidates(t){return t.
observation?.candidates??[]}get goal(){let{episode:t,reference:e}=this.doc;return t.goal??e.at(-1)}get start(){let{episode:t,reference:e}=this.doc;return typeof t.
start=="number"?t.start:e[0]}get end(){return this.doc.end?.node}get standing(){return this.step===0?this.doc.episode.start:this.doc.steps[this.step-1]?.node}get walked(){
return this.doc.steps.flatMap((t,e)=>O(this.doc.steps,e,this.end))}seen(){return(this.doc.steps[this.step-1]?.observation?.pois??[]).flatMap(e=>e.at?[{...e,at:e.
at}]:[])}others(){let{compare:t,further:e}=this.doc;return[...t?[{...t,tint:this.api.color("other")}]:[],...(e??[]).map(n=>({...n,tint:n.colour}))]}mainGoal(t){
let e=new Set(this.doc.reference);return t.goals.find(n=>e.has(n))??t.goals[0]}heading(){let{doc:t,step:e}=this;return e===0?t.episode.start_heading_deg:t.steps[e-
1]?.heading_deg}};var Y=class extends Ft{constructor(t,e,n,o){super(e,n),this.box=t,this.gone=!1,this.moved=!1,this.lit=[],this.canvas=a("div",{class:"nv-leaflet"}),this.plan=a("\
div",{class:"nv-plan-view"},this.canvas),t.append(this.plan),this.credit=a("div",{class:"nv-credit"}),this.legend=new Pt,this.layers=new It(()=>this.onLayers()),
this.map=L.map(this.canvas,{zoomControl:!1,attributionControl:!1,keyboard:!1,preferCanvas:!0,boxZoom:!1,wheelPxPerZoomLevel:110,...o}),this.sheets=Js(this.map),
this.framing=new jt(this.map,this.sheets),this.groups=tn(this.map),this.ends={start:null,stop:null,stopNode:void 0},this.agent=new Lt,this.tools=a("div",{class:"\
nv-tools"},this.makeTools()),this.plan.append(this.credit,this.legend.box,this.tools,this.layers.list),L.control.scale({imperial:!1,position:"bottomright",maxWidth:90}).
addTo(this.map),this.near=Pe(e.links),this.labels=new Ct(this),this.pointer=new zt(this),this.map.setView(this.spotAt(0)??[0,0],1,{animate:!1}),this.listen()}listen(){
this.map.on("dragstart",()=>this.take());for(let t of["wheel","dblclick"])this.canvas.addEventListener(t,()=>this.take(),{passive:!0});this.map.on("zoomend",()=>this.
restyle()),this.map.on("moveend",()=>{this.gone||(this.clearGoal(),this.labels.moved())}),this.map.on("zoomend",()=>this.labels.tags())}clearGoal(){let t=this.spotAt(
this.goal);this.legend.avoid(t&&this.doc.frame==="geo"?this.map.latLngToContainerPoint(t):void 0)}take(){this.moved=!0}wanted(){return nn(this)}furniture(){return{
tools:this.boxOf(this.tools),legend:this.legend.room(js(this)),credit:this.boxOf(this.credit)}}boxOf(t){let e=this.plan.getBoundingClientRect(),n=t?.getBoundingClientRect();
if(!(!n?.height||n.left>=e.right))return[n.left-e.left,n.top-e.top,n.right-e.left,n.bottom-e.top]}drawAround(t){}fit(t=!0){this.moved=!1,on(this,t)}closest(){return 18.5}resize(){
this.gone||(this.map.invalidateSize({animate:!1,pan:!1}),this.labels.forget(),this.moved||this.fit(!1),this.labels.tags(),this.labels.soon())}settle(){this.labels.
tags(),this.labels.names()}begin(){this.drawCredit(),this.fit(!1),this.drawGroundAndWays()}draw(){this.drawGroundAndWays(),this.paint()}drawGroundAndWays(){for(let t of Object.
values(this.groups))t.clearLayers();this.drawGround(),this.drawWays(),this.drawCredit(),this.restyle()}drawGround(){}restyle(){}drawCredit(){this.credit.textContent=
this.doc.graph.attribution??""}add(t,e){return this.groups[e].addLayer(t),t}on(t,e){return{renderer:this.sheets[t],interactive:!1,smoothFactor:.4,...e}}drawWay(t,e,n,o){
let{shown:i,away:r}=this.partsHere(t);i.length&&this.add(L.polyline(i,this.on(o,e)),n);let l=.16*(e.opacity??1);r.length&&this.add(L.polyline(r,this.on(o,{...e,
opacity:l})),n)}offeredWord(){return"offered"}onLayers(){this.draw(),this.moved||this.fit(!1)}showStep(t){this.step=t,this.paint()}paint(){let{doc:t,step:e}=this;
this.groups.step.clearLayers(),this.groups.light.clearLayers();let n=en(this,t.steps[e-1]);this.legend.show(Fs(this,n)),Vs(this),this.placeAgent(),rs(this),this.
clearGoal(),this.follow(t.steps[e-1]),this.lit.length&&this.highlight(this.lit),this.labels.tags(),this.labels.soon()}placeAgent(){let t=this.standing;this.agent.
place(this.map,this.spotAt(t),this.heading(),!this.here(t))}follow(t){rn(this,t)}tags(){return[...$t(this),...this.seenTags()]}names(){return[]}nameRoom(){return this.
box.closest(".nv-present")?26:40}seenTags(){if(!this.layers.shows("pois"))return[];let t=this.spotAt(this.standing);return this.seen().filter(e=>this.placeHere(
e.at)).map(e=>{let n=this.spot(e.at);return{spot:n,text:e.name,look:"nv-tag-seen",gap:13,weight:600,size:.9,left:t!==null&&n[1]<t[1]}})}shownPois(){return[...this.
layers.shows("pois")?this.doc.pois:[],...this.seen()]}highlight(t){this.lit=t,Os(this,t)}refHere(t,e){return!0}panTo(t){let{at:e}=this.api.resolve(t,this.step);
e.length&&(this.take(),an(this,e),this.highlight([t]))}nearZoom(){return 17.5}nodeFacts(t){return[]}makeTools(){let t=e=>()=>{this.take(),e>0?this.map.zoomIn():
this.map.zoomOut()};return[v("closer","Closer",t(1),{tool:"in"}),v("farther","Farther",t(-1),{tool:"out"}),v("whole","The whole route",()=>this.fit(),{tool:"fit"}),
this.layers.button]}update(t){let e=this.doc,n=t.episode.id!==e.episode.id||t.world!==e.world;this.turnTo(t),this.near=Pe(t.links),this.adopt(),!n&&Ks(e,t)?this.
drawWays():this.drawGroundAndWays(),(n||!this.moved)&&this.fit(!1)}adopt(){}drawWays(){this.groups.paths.clearLayers(),this.groups.ends.clearLayers(),qs(this),this.
ends=is(this),this.layers.offer(Re(this.doc))}setTheme(){this.draw()}destroy(){this.gone=!0,this.labels.destroy(),this.pointer.destroy(),this.map.remove()}};var Li=560,Ht=2.5,$i=.6,ln={floors:[{name:"Floor 1",level_m:0}],floor_of:[],stairs:[],rooms:[],doors:[],outlines:[]},Q=class extends Y{constructor(t,e,n){super(
t,e,n,{crs:L.CRS.Simple,zoomSnap:0,zoomDelta:.5,minZoom:-5,maxZoom:8.6}),this.plan.classList.add("nv-floorplan"),this.solid=a("div",{class:"nv-scene"}),t.classList.
add("nv-indoor"),this.floorBox=a("div",{class:"nv-floors",role:"group","aria-label":"Floors"}),this.plan.append(this.floorBox),t.append(this.solid,this.tools,this.
layers.list),this.scene=null,this.floorButtons=[],this.house=ln,this.stairs=new Set,this.ways=[],this.floor=0,this.adopt(),this.floor=this.floorOf(e.episode.start)??
0,this.markFloor(),this.mode="plan",this.setMode(J.possible(this.api)&&t.clientWidth>Li?"both":"plan"),this.begin()}adopt(){this.house=this.doc.indoor??ln,this.
stairs=new Set(this.house.stairs),this.makeFloors()}spot(t){return[t[1],t[0]]}spotOf(t){let{at:e}=this.doc.nodes;return[e[3*t+1],e[3*t]]}metresOf(t){return this.
doc.nodes.at.slice(3*t,3*t+3)}floorOf(t){return typeof t=="number"?this.house.floor_of[t]??0:null}floorAt(t){let e=this.house.floors.map(({level_m:n})=>{let o=t[2]-
n;return o>-$i?o:100-o});return e.indexOf(Math.min(...e))}here(t){return this.floorOf(t)===this.floor}placeHere(t){return this.floorAt(t)===this.floor}refHere(t,e){
return t.startsWith("n:")?this.here(Number(t.slice(2))):this.placeHere(e)}get scale(){return 2**this.map.getZoom()}makeFloors(){let{floors:t}=this.house;this.floorBox.
hidden=t.length<2,this.floorButtons=t.map(({name:e,level_m:n},o)=>{let i={mousedown:w,click:()=>this.setFloor(o)};return a("button",{type:"button",class:"nv-flo\
or",data:{floor:o},text:e,title:`${e}, ${T(n)}`,on:i})}),this.floorBox.replaceChildren(...[...this.floorButtons].reverse()),this.markFloor()}setFloor(t){t!==null&&
(this.floor=Math.max(0,Math.min(this.house.floors.length-1,t)),this.markFloor(),this.draw())}markFloor(){this.plan.dataset.floor=String(this.floor);for(let[t,e]of this.
floorButtons.entries())e.setAttribute("aria-pressed",String(t===this.floor))}setMode(t){this.mode=t,this.box.dataset.mode=t;for(let[e,n]of Object.entries(this.modeButtons??
{}))n.classList.toggle("nv-on",e===t);this.scene?.turn(t!=="plan"),!(t==="plan"||this.scene)&&(this.scene=new J(this.solid,this.doc,this.api,e=>this.pointAt(e)),
this.scene.start(this.step))}makeTools(){let t=(e,n)=>v(e,n,()=>{this.setMode(e),this.resize()},{tool:e});return this.modeButtons={plan:t("plan","Floor plan"),both:t(
"both","Plan and 3-D scene"),scene:t("scene","3-D scene")},[...super.makeTools(),...J.possible(this.api)?Object.values(this.modeButtons):[]]}wanted(){let t=super.
wanted(),e=this.house.rooms.flatMap(({box_m:[d,p,u,f]})=>[[p,d],[f,u]]),n=L.latLngBounds([...this.line(this.doc.nodes.ids.map((d,p)=>p)),...e]),o=L.latLngBounds(
t),i=(d,p,u)=>Math.max(p,Math.min(u,d)),[r,l,c,h]=[n.getSouth(),n.getWest(),n.getNorth(),n.getEast()];return[[i(o.getSouth()-Ht,r,c),i(o.getWest()-Ht,l,h)],[i(o.
getNorth()+Ht,r,c),i(o.getEast()+Ht,l,h)]]}furniture(){return{...super.furniture(),floors:this.boxOf(this.floorBox)}}closest(){return Math.log2(110)}nearZoom(){
return Math.log2(45)}resize(){super.resize(),this.scene?.resize()}drawGround(){this.scaled=ls(this)}restyle(){for(let{layer:t,width_m:e,least:n}of this.scaled??
[])t.setStyle({weight:Math.max(n,e*this.scale)})}drawAround(t){let e=this.heading();typeof t.node=="number"&&this.here(t.node)&&e!==void 0&&hs(t)&&ds(this,t.node,
e)}showStep(t){this.step=t,this.plan.dataset.node=String(this.standing??""),this.scene?.showStep(t);let e=this.floorOf(this.standing);e!==null&&e!==this.floor?this.
setFloor(e):this.paint()}seen(){let t=this.doc.steps[this.step-1];return t?ps(this,t,this.heading()):[]}candidates(t){let e=super.candidates(t);if(e.length||typeof t.
node!="number")return e;let n=this.metresOf(t.node),o=this.heading();return[...this.near.get(t.node)??[]].map(i=>{let r=this.metresOf(i),l=o===void 0?{}:{angle_deg:St(
ss(n,r)-o)},c=i===t.decision?.target?"chosen":"offered";return{node:i,state:c,distance_m:Math.hypot(...r.map((h,d)=>h-n[d])),...l}})}offeredWord(){return"naviga\
ble"}tags(){return[...$t(this),...us(this),...fs(this),...ms(this),...this.seenTags(),...gs(this)]}seenTags(){return super.seenTags().map(t=>({...t,text:t.text.
replace(/_\d+$/,"")}))}names(){return ys(this)}highlight(t){super.highlight(t),this.plan.dataset.lit=t.join(" "),this.scene?.highlight(t.flatMap(e=>this.api.resolve(
e,this.step).at))}panTo(t){let[e]=this.api.resolve(t,this.step).at;if(!e)return;let n=t.startsWith("n:")?this.floorOf(Number(t.slice(2))):this.floorAt(e);n!==this.
floor&&this.setFloor(n),super.panTo(t)}pointAt(t){this.api.hover(t?[t]:[]),this.highlight(t?[t]:[])}nodeFacts(t){let e=this.doc.steps[this.step-1],n=e?this.candidates(
e).find(i=>i.node===t):void 0,o=this.house.floors[this.floorOf(t)??0];return[this.stairs.has(t)?"on the stairs":o?.name??"",n?Ee(this,n):""]}update(t){super.update(
t),this.scene?.update(t)}setTheme(){super.setTheme(),this.scene?.redraw()}destroy(){this.scene?.destroy(),super.destroy()}};var Ei="© OpenStreetMap contributors",Ai="https://tile.openstreetmap.org/{z}/{x}/{y}.png",Oi=15.5,_i=16.5,Ci=16.25,Ni=18,tt=class extends Y{constructor(t,e,n){
super(t,e,n,{zoomSnap:.25,zoomDelta:.5,maxZoom:20.5,minZoom:1}),this.close=!1,this.tiles=null,this.begin()}drawGround(){let{color:t}=this.api,e=i=>this.on("grou\
nd",{smoothFactor:.6,...i});for(let i of this.doc.backdrop){let r=i.rings.map(cn),l=t(`area-${i.kind}`)||t("area");i.line?this.add(L.polyline(r,e({color:l,weight:2})),
"ground"):this.add(L.polygon(r,e({color:l,weight:.6,fillColor:l,fillOpacity:1})),"ground")}let n=this.doc.streets.map(cn);this.casing=this.add(L.polyline(n,e({color:t(
"street-edge"),lineCap:"round"})),"ground"),this.streets=this.add(L.polyline(n,e({color:t("street"),lineCap:"round"})),"ground");let o=e({radius:1.8,stroke:!1,fillColor:t(
"node"),fillOpacity:1});this.crossings=this.line(this.doc.nodes.crossings).map(i=>this.add(L.circleMarker(i,o),"ground")),this.dots=this.doc.pois.map(i=>{let r={
radius:3,weight:1,color:t("ground"),fillColor:t(i.light?"light":"poi"),fillOpacity:1};return this.add(L.circleMarker(this.spot(i.at),e(r)),"ground")})}restyle(){
let t=this.map.getZoom(),e=Math.max(1.6,Math.min(16,1.5*1.75**(t-14.4)));this.casing?.setStyle({weight:e+1.6}),this.streets?.setStyle({weight:e});for(let o of this.
crossings??[])o.setStyle({fillOpacity:t>=_i?1:0});let n=t>=Oi&&this.layers.shows("pois")?1:0;this.dots?.forEach((o,i)=>{let r=(this.doc.pois[i].light?2:3)+Math.
max(0,t-17);o.setStyle({fillOpacity:n,opacity:n}).setRadius(r)})}*names(){let t=this.map.getZoom();if(t<Ci||!this.layers.shows("pois"))return;this.labels.keepFree(
this.doc.pois.map(n=>this.spot(n.at)));let e=new Set(this.seen().map(n=>b(n.name)));for(let n of this.doc.pois)n.light||!n.kind&&t<Ni||e.has(b(n.name))||(yield{
spot:this.spot(n.at),text:n.name,look:"nv-tag-name",gap:6,size:.8})}heading(){return super.heading()??this.bearing()}bearing(){if(this.step===0)return;let[t,e]=this.
way(O(this.doc.steps,this.step-1,this.end));if(!(!t||!e||t[0]===e[0]&&t[1]===e[1]))return Math.atan2((e[1]-t[1])*Math.cos(t[0]*Math.PI/180),e[0]-t[0])*180/Math.
PI}follow(t){if(!this.close||!t){super.follow(t);return}let n=[...this.way(O(this.doc.steps,this.step-1,this.end)),...this.line(t.observation?.visible??[])];n.length&&
this.map.fitBounds(L.latLngBounds(n).pad(.15),{padding:[40,40],maxZoom:18.5,duration:.3})}nodeFacts(t){let e=new Set(this.seen().filter(n=>n.node===t).map(n=>n.
name));return[this.doc.nodes.crossings.includes(t)?"intersection":"street node",e.size?`landmarks here: ${[...e].join(", ")}`:""]}makeTools(){return this.closeButton=
v("close","Stay close to the agent",()=>this.toggleClose(),{tool:"close"}),this.tileButton=v("tiles","Map tiles from openstreetmap.org (needs the network)",()=>this.
toggleTiles(),{tool:"tiles"}),[...super.makeTools(),this.closeButton,this.tileButton]}toggleClose(){if(this.close=!this.close,this.closeButton?.classList.toggle(
"nv-on",this.close),!this.close){this.fit();return}this.take(),this.follow(this.doc.steps[this.step-1])}toggleTiles(){this.tiles?(this.tiles.remove(),this.tiles=
null):this.tiles=L.tileLayer(Ai,{maxNativeZoom:19,maxZoom:21,opacity:.85}).addTo(this.map),this.tileButton?.classList.toggle("nv-on",this.tiles!==null),this.box.
classList.toggle("nv-with-tiles",this.tiles!==null),this.drawCredit()}drawCredit(){let t=[this.doc.graph.attribution,this.tiles?Ei:null].filter(Boolean);this.credit.
textContent=[...new Set(t)].join(" · ")}};function cn(s){let t=[];for(let e=0;e<s.length;e+=2)t.push([s[e],s[e+1]]);return t}function He(s,t){let e=s.frame==="geo"?2:3;return s.nodes.at.slice(t*e,t*e+e)}function Dt(s,t){return{label:s.nodes.ids[t],nodes:[t],at:[He(s,t)]}}var et=3e4,Ii=14;function _(s,t){let e=t.startsWith("n:")&&s.length>Ii,n={class:e?"nv-ref nv-id nv-cut":"nv-ref",text:s,data:{ref:t},tabindex:-1};return a("span",
e?{...n,title:s}:n)}function De(s,t,e){let n=a("button",{type:"button",class:"nv-more",text:`Show ${M(t)} more characters`,on:{click:()=>n.replaceWith(e())}});return s.
append(" … ",n),s}function m(s,t){let e=document.createDocumentFragment();for(let n of s.pieces(t.slice(0,et)))e.append(n.ref?_(n.text,n.ref):n.text);return t.
length>et&&De(e,t.length-et,()=>m(s,t.slice(et))),e}function Wt(s,t){if(!t)return;let e=t.offsetTop-s.offsetTop,n=e+t.offsetHeight;e<s.scrollTop?s.scrollTop=e:n>
s.scrollTop+s.clientHeight&&(s.scrollTop=Math.min(e,n-s.clientHeight))}var hn={entries:8,chars:120};function dn(s){try{return{value:JSON.parse(s)}}catch{return null}}function V(s,t,e,n="$",o=0){if(s===null||typeof s!="object")return un(
s,t);let i=Array.isArray(s),r=i?s.map((u,f)=>[String(f),u]):Object.entries(s);if(!r.length)return a("span",{class:"nv-j-mute",text:i?"[]":"{}"});if(Ri(s,r))return Pi(
i,r,t);let l=e.get(n)??o<2,c=r.slice(0,4).map(([u])=>u),h=a("div",{class:"nv-j-body"}),d=()=>{if(!h.childElementCount)for(let[u,f]of r){let g=`${n}.${i?"*":u}`;
h.append(a("div",{class:"nv-j-row"},pn(u,t),V(f,t,e,g,o+1)))}};l&&d();let p=a("summary",{class:"nv-j-mute",text:i?`${r.length} items`:c.join(", ")});return wt({
class:"nv-j"},p,h,l,u=>{e.set(n,u),u&&d()})}function pn(s,t){let e=t.letter(s)??t.tokens.get(s);return a("span",{class:"nv-j-key"},e?_(s,e):s)}var Ri=(s,t)=>t.length<=
hn.entries&&t.every(([,e])=>e===null||typeof e!="object")&&JSON.stringify(s).length<=hn.chars;function Pi(s,t,e){let n=a("span",{class:"nv-j-short"});return t.forEach(
([o,i],r)=>{r&&n.append("  "),s||n.append(pn(o,e)," "),n.append(un(i,e))}),n}function un(s,t){if(s==="")return a("span",{class:"nv-j-mute",text:'""'});if(typeof s!=
"string")return a("span",{class:"nv-j-num",text:String(s)});let e=t.letter(s)??t.tokens.get(s);return a("span",{class:"nv-j-str"},e?_(s,e):m(t,s))}function fn({doc:s,step:t,go:e}){if(!s.skills)return null;let n=s.steps.map((i,r)=>{let l=i.skill===void 0?"no skill":s.skills?.[i.skill]?.name;return a("button",
{type:"button",class:r+1===t?"nv-skill-block nv-current":"nv-skill-block",title:`Step ${r+1}: ${l}`,"aria-label":`Step ${r+1}: ${l}`,style:{"background-color":S(
s,i.skill)??"transparent"},data:{step:r+1},on:{click:()=>e(r+1)}})}),o=Ot(s.steps).map(i=>a("span",{class:"nv-chip"},a("i",{class:"nv-swatch",style:{"background\
-color":S(s,i)??"transparent"}}),s.skills?.[i]?.name??""));return a("div",{},a("div",{class:"nv-skill-strip"},n),a("div",{class:"nv-chips"},o))}function gn(s,t){let{linker:e,doc:n}=t,o=s.items??[],i=o.map(d=>mn(d.value)).filter(d=>d!==null),r=Math.max(...i,0),l=Math.min(...i,0),c=r-l||1,h=a("div",{class:"\
nv-bars"},o.map(d=>{let p=mn(d.value),u=vs(n,d.skill),f=p===null?null:{left:`${(Math.min(p,0)-l)/c*100}%`,width:`${Math.abs(p)/c*100}%`};return f&&u&&(f["backgr\
ound-color"]=u),a("div",{class:d.chosen?"nv-bar-row nv-chosen":"nv-bar-row"},a("span",{class:"nv-bar-label"},m(e,String(d.label??""))),a("span",{class:"nv-bar-t\
rack"},f?a("span",{class:"nv-bar",style:f}):null),a("span",{class:"nv-bar-value",text:p===null?"–":U(p)}),d.note?a("span",{class:"nv-bar-note"},m(e,String(d.note))):
null)}));return a("div",{},s.hint?a("p",{class:"nv-hint"},m(e,String(s.hint))):null,h,s.note?a("p",{class:"nv-mute"},m(e,String(s.note))):null,s.ran?fn(t):null)}
function mn(s){let t=s==null?Number.NaN:Number(s);return Number.isFinite(t)?t:null}function kn(s,t){let[e,n]=[yn(s),yn(t)];if(e.length*n.length>1200*1200)return[{kind:"new",text:t}];let o=Bi(e,n),i=[],[r,l]=[0,0];for(;r<e.length||l<n.length;)r<
e.length&&l<n.length&&e[r]===n[l]?(We(i,"same",n[l]),r+=1,l+=1):l<n.length&&(r===e.length||o[r][l+1]>=o[r+1][l])?(We(i,"new",n[l]),l+=1):(We(i,"gone",e[r]),r+=1);
return i}var yn=s=>s.match(/\s*\S+|\s+$/g)??[];function Bi(s,t){let e=Array.from({length:s.length+1},()=>new Array(t.length+1).fill(0));for(let n=s.length-1;n>=
0;n-=1)for(let o=t.length-1;o>=0;o-=1)e[n][o]=s[n]===t[o]?e[n+1][o+1]+1:Math.max(e[n+1][o],e[n][o+1]);return e}function We(s,t,e){let n=s.at(-1);n?.kind===t?n.text+=
e:s.push({kind:t,text:e})}function ut(s,t){return s==null?"–":zi(s)?Hi(s,t):ji(s)?Ge(s.former,s.text):typeof s=="object"?V(s,t,new Map):m(t,String(s))}function zi(s){return typeof s=="\
object"&&s!==null&&typeof s.mark?.text=="string"}function ji(s){let{text:t,former:e}=s??{};return typeof t=="string"&&typeof e=="string"}var Fi={new:"ins",gone:"\
del",same:"span"};function Ge(s,t){let e=s===t?[]:kn(s,t);return a("span",{class:"nv-changes"},e.length?e.map(({kind:n,text:o})=>a(Fi[n],{text:o})):"the same")}
function Hi({mark:s,wrong:t},e){let{text:n,start:o,end:i}=s;if(typeof o!="number"||typeof i!="number")return a("span",{class:t?"nv-wrong":""},m(e,n));let r=[n.slice(
0,o),n.slice(o,i),n.slice(i)].map(l=>m(e,l));return a("span",{},r[0],a("mark",{class:"nv-marked"},r[1]),r[2])}function qe(s,t,e){if(!Array.isArray(t)||!t.length)
return null;let n=t.map(o=>typeof o=="object"&&o?Object.values(o).join(" · "):String(o));return a("div",{class:"nv-chips",title:s},n.map(o=>a("span",{class:"nv\
-chip",title:o},m(e,o))))}function wn(s,{linker:t}){let e=s.directions??[];return a("div",{class:"nv-directions"},e.map(n=>a("section",{},a("h5",{text:String(n.label??"")}),n.text?a("p",
{},m(t,String(n.text))):null,qe("objects",n.objects,t),qe("candidates",n.candidates,t))))}var P={width:320,height:220,margin:20,labels:60};function xn(s,t){let e=new Map(t.nodes.ids.map((p,u)=>[p,u])),n=s.map((p,u)=>Di(p)??Wi(e.get(p.id),t)??Gi(u,s.length)),
o=n.map(p=>p[0]),i=n.map(p=>p[1]),[r,l]=[Math.min(...o),Math.min(...i)],c=P.width-P.margin-P.labels,h=P.height-2*P.margin,d=Math.min(c/(Math.max(...o)-r||1),h/(Math.
max(...i)-l||1));return new Map(s.map((p,u)=>[p.id,[P.margin+(n[u][0]-r)*d,P.margin+(n[u][1]-l)*d]]))}function Di({x:s,y:t}){return typeof s=="number"&&typeof t==
"number"&&Number.isFinite(s)&&Number.isFinite(t)?[s,-t]:null}function Wi(s,t){if(s===void 0)return null;let[e,n]=He(t,s);return t.frame==="geo"?[n*Math.cos(e*Math.
PI/180),-e]:[e,-n]}function Gi(s,t){let e=2*Math.PI*s/t;return[Math.sin(e),-Math.cos(e)]}function bn(s,{linker:t,doc:e}){let n=(s.nodes??[]).map(Ui),o=xn(n,e),i=y("svg",{viewBox:`0 0 ${P.width} ${P.height}`,class:"nv-graph",role:"img"});for(let h of s.
links??[]){let[d,p]=Array.isArray(h)?h:[h.source??h.from,h.target??h.to],u=o.get(String(d)),f=o.get(String(p));u&&f&&i.append(y("line",{x1:u[0],y1:u[1],x2:f[0],
y2:f[1]}))}let r=(s.way_back??[]).map(h=>o.get(String(h))).filter(h=>h!==void 0);r.length>1&&i.append(y("polyline",{class:"nv-walk-back",points:r.map(h=>h.join(
",")).join(" ")}));for(let h of n)i.append(Vi(h,o.get(h.id)??[0,0],t));let l=qi(Array.isArray(s.states)?s.states:[],n),c=s.note?a("p",{class:"nv-panel-note",text:String(
s.note)}):null;return l||c?a("div",{},c,i,l):i}function qi(s,t){let e=s.filter(n=>t.some(o=>o.state===n));return e.length?a("div",{class:"nv-panel-key"},e.map(n=>a(
"span",{},a("i",{class:`nv-key nv-key-${Bt(n).slice(3)}`}),String(n)))):null}var Ui=s=>typeof s=="object"&&s?{...s,id:String(s.id)}:{id:String(s)};function Vi(s,[
t,e],n){let o=n.tokens.get(s.id),i=y("circle",{cx:t,cy:e,r:s.current?7:5,class:s.chosen||s.current?"nv-chosen":s.visited?"nv-visited":s.frontier?"nv-frontier":""}),
r=y("text",{x:t+8,y:e+4}),l=typeof s.score=="number"?` ${Math.round(s.score*100)/100}`:"";r.textContent=String(s.label??vt(s.id))+l;let c=y("g",{class:[o?"nv-re\
f":"",Bt(s.state)].filter(Boolean).join(" ")},...Ki(s,t,e),i,r);if(s.note){let h=y("title",{});h.textContent=`${r.textContent}: ${s.note}`,c.append(h)}return o&&
(c.dataset.ref=o),c}function Ki({ring:s},t,e){if(typeof s!="number"||!(s>0))return[];let n=9.5,o=2*Math.PI*n,i=y("title");i.textContent=`stop ${Math.round(s*100)/
100}`;let r=`${o*Math.min(s,1)} ${o}`;return[y("circle",{cx:t,cy:e,r:n,class:"nv-ring","stroke-dasharray":r},i)]}function vn(s,{linker:t}){let e=Array.isArray(s.items)?s.items:Object.entries(s.items??{});return a("dl",{class:"nv-keyvalue"},e.flatMap(([n,o])=>[a("dt",{},m(t,
String(n))),a("dd",{},ut(o,t))]))}function Sn(s,t){let e=t.flatMap(({span:r})=>Array.isArray(r)&&r[0]<r[1]?[r]:[]),n=[...new Map(e.map(r=>[r[0],r])).values()].sort((r,l)=>r[0]-l[0]),o=[],i=0;for(let[
r,l]of n)r<i||(r>i&&o.push({text:s.slice(i,r),start:i,span:null}),o.push({text:s.slice(r,l),start:r,span:[r,l]}),i=l);return i<s.length&&o.push({text:s.slice(i),
start:i,span:null}),o}function Mn({text:s,start:t},e){let n=[],o=t;for(let{relation:i,span:r}of e)!Array.isArray(r)||r[0]<o||r[1]>t+s.length||(r[0]>o&&n.push({text:s.
slice(o-t,r[0]-t),relation:null}),n.push({text:s.slice(r[0]-t,r[1]-t),relation:i}),o=r[1]);return o<t+s.length&&n.push({text:s.slice(o-t),relation:null}),n}var Zi={rules:"by rules",model:"by a model",log:"as the log says",off:"not reordered"};function Tn(s,{linker:t}){let e=String(s.original??""),n=s.parts??[],o=s.
relations??[],r=Sn(e,n).map(p=>a("span",{class:p.span?"nv-source":"nv-between",data:p.span?{from:p.span[0]}:{}},Mn(p,o).map(({text:u,relation:f})=>f?a("mark",{class:"\
nv-cue",title:f,text:u}):m(t,u)))),l=n.map(p=>a("li",{class:p.moved?"nv-moved":p.span?"":"nv-added",title:p.moved?"done earlier or later than it is said":p.span?
"":"not in the original",data:p.span?{from:p.span[0]}:{}},(p.words??[[p.text,!1]]).flatMap(([u,f])=>[f?a("em",{class:"nv-fresh",text:u}):m(t,u)," "]))),c=y("svg",
{class:"nv-order-lines","aria-hidden":"true"}),h=a("div",{class:"nv-reordered"},a("div",{class:"nv-order-side"},a("h5",{text:"Original"}),a("p",{},r)),c,a("div",
{class:"nv-order-side"},a("h5",{text:`In order, ${Zi[s.by]??String(s.by??"")}`}),a("ol",{},l)));new ResizeObserver(()=>Xi(h,c)).observe(h);let d=o.map(({cue:p,relation:u})=>a(
"span",{class:"nv-chip",text:`${p}: ${u}`}));return a("div",{},h,d.length?a("div",{class:"nv-chips",title:"temporal relations"},d):null)}function Xi(s,t){let e=t.
getBoundingClientRect(),n=[...s.querySelectorAll("li[data-from]")].flatMap(o=>{let i=o.dataset.from??"",r=s.querySelector(`.nv-source[data-from="${CSS.escape(i)}\
"]`);if(!r)return[];let[l,c]=[r.getClientRects(),o.getBoundingClientRect()],h=l[l.length-1]??r.getBoundingClientRect(),d=[h.top+h.height/2-e.top,c.top+Math.min(
c.height,20)/2-e.top],p=o.classList.contains("nv-moved")?"nv-order-line nv-moved":"nv-order-line",[u,f]=[e.width,4];return[y("path",{class:p,d:`M0,${d[0]} C${u/
2},${d[0]} ${u/2},${d[1]} ${u-f},${d[1]}`}),y("path",{class:`${p} nv-order-head`,d:`M${u-f-3},${d[1]-f} L${u},${d[1]} L${u-f-3},${d[1]+f}`})]});t.replaceChildren(
...n)}function Ln(s,{linker:t}){let e=s.columns??[],n=typeof s.wide=="number"?s.wide:-1,o=a("tr",{},e.filter((c,h)=>h!==n).map(c=>a("th",{},m(t,String(c))))),i=(s.rows??
[]).flatMap((c,h)=>{let d=Array.isArray(c)?c:e.map(g=>c[g]),p=[h===s.chosen?"nv-chosen":"",d[n]?"nv-over":""].filter(Boolean).join(" "),u=d.filter((g,E)=>E!==n).
map(g=>Yi(g,t)),f=a("tr",{class:p||void 0},u);return d[n]?[f,Ji(d[n],u.length,p,t)]:[f]}),r=s.note?a("p",{class:"nv-panel-note"},m(t,String(s.note))):null,l=a("\
table",{class:"nv-table"},a("thead",{},o),a("tbody",{},i));return a("div",{},r,a("div",{class:"nv-scroll-x"},l))}function Ji(s,t,e,n){let o=a("td",{colspan:t},ut(
s,n));return a("tr",{class:e.replace("nv-over","nv-wide")},o)}function Yi(s,t){return typeof s=="number"?a("td",{class:"nv-num",text:U(s)}):a("td",{},ut(s,t))}var Qi=/^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/,tr=/^#{1,6}\s+(.*)$/,er=/^\*\*([^*]+)\*\*:?$/,sr=/\*\*(.+?)\*\*|`([^`]+)`|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;function Gt(s){
let t=[],e=null,n=[],o=null,i=()=>{n.length&&t.push({kind:"paragraph",text:n.join(" ")}),n=[]};for(let r of s.split(`
`)){let l=r.trim();if(o){l.startsWith("```")?(t.push({kind:"code",text:o.join(`
`)}),o=null):o.push(r);continue}let c=Qi.exec(r),h=tr.exec(l)??er.exec(l);if(!c&&l&&(e=null),l.startsWith("```"))i(),o=[];else if(h)i(),t.push({kind:"heading",text:h[1].
replaceAll("**","")});else if(c){i();let d=!!c[1];(!e||e.ordered!==d)&&(e={kind:"list",ordered:d,start:Number(c[1]??1),items:[]},t.push(e)),e.items.push(c[2])}else
l?n.push(l):i()}return i(),o&&t.push({kind:"code",text:o.join(`
`)}),t}function qt(s){let t=[],e=0;for(let n of s.matchAll(sr))n.index>e&&t.push({kind:"text",text:s.slice(e,n.index)}),n[1]?t.push({kind:"strong",text:n[1]}):n[2]?
t.push({kind:"code",text:n[2]}):t.push({kind:"emphasis",text:n[3]}),e=n.index+n[0].length;return e<s.length&&t.push({kind:"text",text:s.slice(e)}),t}function nt(s,t){let e=4*et,n=a("div",{class:"nv-prose"});for(let o of Gt(s.slice(0,e)))n.append(nr(o,t));return s.length>e&&De(n,s.length-e,()=>nt(s.slice(e),t)),
n}function nr(s,t){if(s.kind==="list"){let e=s.items.map(n=>a("li",{},$n(n,t)));return s.ordered?a("ol",{start:s.start},e):a("ul",{},e)}return s.kind==="code"?a(
"pre",{},m(t,s.text)):a(s.kind==="heading"?"h4":"p",{},$n(s.text,t))}function $n(s,t){let e=document.createDocumentFragment();for(let n of qt(s)){let o=n.kind===
"code"?t.letter(n.text):void 0,i=o?_(n.text,o):m(t,n.text);n.kind==="text"?e.append(i):e.append(a(n.kind==="strong"?"strong":n.kind==="code"?"code":"em",{},i))}
return e}function En(s,{linker:t}){let e=String(s.text??"");return typeof s.former!="string"||s.former===e?nt(e,t):a("p",{},Ge(s.former,e))}var An={bars:gn,directions:wn,graph:bn,keyvalue:vn,reordered:Tn,table:Ln,text:En};function On(s,t){let e=()=>V(s.data,t.linker,t.folds,`panel.${s.title}`),n=Object.
hasOwn(An,s.kind)?An[s.kind]:e,o;try{o=n(s.data,t)}catch{o=e()}return a("section",{class:"nv-panel",data:{kind:s.kind}},o)}async function _n(s,t){try{await navigator.clipboard.writeText(s)}catch{let e=document.createElement("textarea");e.value=s,e.className="nv-off-screen",t.append(
e),e.select(),document.execCommand("copy"),e.remove()}t.dataset.done="true",setTimeout(()=>delete t.dataset.done,1200)}var D=s=>a("p",{class:"nv-nothing",text:s}),Ut=class{constructor(t,e){this.player=t,this.folds=e,this.raw=!1}get linker(){return this.player.linker}thoughts(t,e){
let n=this.each(t,"thoughts",o=>o.thoughts===void 0?D("This call has no thoughts."):nt(this.player.text(o.thoughts),this.linker));return e.thoughts?n.append(a("\
div",{class:"nv-streaming"},nt(e.thoughts,this.linker))):t.length||n.append(D(this.waiting()?"Waiting for the model.":this.unasked())),n}prompts(t){return t.length?
this.each(t,"prompt",e=>{let n=e.messages.length>1;return!n&&!e.messages.length?D("The log does not hold this prompt."):a("div",{},e.messages.map(o=>this.message(
o,n)))}):D(this.unasked())}replies(t,e){let n=this.each(t,"reply",o=>o.reply===void 0?D(o.error??"There is no reply."):this.code(this.player.text(o.reply)));return e.
reply?n.append(a("div",{class:"nv-streaming"},this.code(e.reply))):t.length||n.append(D(this.unasked())),n}waiting(){return this.player.doc.running&&this.player.
atEnd}unasked(){return this.player.doc.unlogged??"No model was asked in this step."}each(t,e,n){let o=t.length>1||t[0]?.purpose!=="decide";return a("div",{},t.map(
i=>{let r=this.rawText(i,e),l=this.raw&&r?a("pre",{class:"nv-raw"},m(this.linker,r)):n(i);return a("section",{class:"nv-call"},this.callHead(i,o,r),l)}))}rawText(t,e){
if(e==="thoughts")return t.thoughts===void 0?"":this.player.text(t.thoughts);if(e==="reply")return t.reply===void 0?"":this.player.text(t.reply);let n=t.messages.
map(({parts:o})=>o.map(([,i])=>this.player.text(i)).join(""));return n.length<2?n[0]??"":n.map((o,i)=>`${t.messages[i].role}:
${o}`).join(`

`)}callHead(t,e,n){let{usage:o}=t,i=or(o);return a("div",{class:"nv-call-head"},e?a("b",{text:t.purpose}):null,t.model?a("span",{text:t.model}):null,i?a("span",
{title:"tokens of prompt, thoughts and reply",text:i}):null,t.seconds===void 0?null:a("span",{text:bt(t.seconds)}),t.cost_usd===void 0?null:a("span",{text:ir(t)}),
t.retries?a("span",{class:"nv-flag nv-warn",text:N(t.retries,"retry","retries")}):null,t.error?a("span",{class:"nv-flag nv-bad",text:t.error}):null,t.parse_error?
a("span",{class:"nv-flag nv-bad",text:t.parse_error}):null,n?this.rawTools(n):null)}rawTools(t){let e={mousedown:w,click:()=>this.toggleRaw()},n=this.raw?"Show \
it set in type":"Show it as it was sent or came back",o=a("button",{type:"button",class:"nv-small",text:this.raw?"set":"raw",title:n,"aria-pressed":String(this.
raw),on:e,data:{call:"raw"}}),i=v("copy","Copy the text",()=>_n(t,i),{call:"copy"});return a("span",{class:"nv-raw-tools"},o,i)}toggleRaw(){this.raw=!this.raw,this.
player.repaintPane()}message(t,e){let n=a("div",{class:"nv-message"},e?a("div",{class:"nv-role",text:t.role}):null),o=n;for(let[i,r]of t.parts){let l=this.player.
text(r);i==="heading"?(o=a("div",{class:"nv-part-body"}),n.append(this.heading(l.trim(),o))):i!=="fence"&&o.append(this.part(i,l))}return n}heading(t,e){let n=`\
part.${t}`,o=t.replace(/^\[(.*)\]$/s,"$1").replace(/^#+\s*/,""),i=a("summary",{text:o});return wt({class:"nv-part"},i,e,this.folds.get(n)??!0,r=>this.folds.set(
n,r))}part(t,e){let n=t==="json"?dn(e):null;if(n)return a("div",{class:"nv-json"},V(n.value,this.linker,this.folds,"prompt"));let o=e.replace(/\n+$/,`
`).replace(/^\n+/,"");return a("pre",{class:t==="text"?"nv-plain":"nv-code"},m(this.linker,o))}code(t){return a("pre",{class:"nv-code"},m(this.linker,t))}};function or(s){
let t={prompt:s?.prompt_tokens,thoughts:s?.thoughts_tokens,reply:s?.output_tokens};return Object.entries(t).filter(([,n])=>n!=null).map(([n,o])=>`${M(o)} ${n}`).
join(" · ")}function ir(s){return s.list_price?`${X(s.cost_usd)} list price`:X(s.cost_usd)}function Cn(s,t,e){let n=s.observation;if(!n)return D("The log does not say what the agent was shown.");let o=[n.format,N(n.visible.length,"node","nodes"),N(n.pois.
length,"landmark","landmarks")],i=s.calls.length?"As it stood in the prompt":"In words";return a("div",{},a("div",{class:"nv-call-head"},o.map(r=>a("span",{text:r}))),
n.pois.length?rr(n.pois):null,n.candidates.length?ar(n.candidates,t):null,n.text?a("h4",{text:i}):null,(n.text??[]).filter(([r])=>r!=="fence").map(([r,l])=>e.part(
r,t.text(l))))}function rr(s){let t=s.map(e=>{let n=b(e.name);return a("tr",{},a("td",{},e.letter?_(e.letter,n):""),a("td",{},_(e.name,n)),a("td",{text:Nn(e.position??
e.direction)}),a("td",{class:"nv-num",text:T(e.distance_m)}))});return a("table",{class:"nv-table"},a("tbody",{},t))}function ar(s,t){let e=s.map(n=>a("tr",{class:`\
nv-cand-${n.state}`},a("td",{},a("span",{class:`nv-cand nv-cand-${n.state}`,title:n.state})),a("td",{},t.nodeMark(n.node),n.label?` ${n.label}`:""),a("td",{text:Nn(
n.direction)}),a("td",{class:"nv-num",text:lr(n)}),a("td",{},n.reason?m(t.linker,n.reason):"")));return a("table",{class:"nv-table"},a("tbody",{},e))}var Nn=s=>(s??
"").replace(/^(left|right) ([\d.]+)$/,"$1 $2°");function lr(s){return s.score!==void 0?M(s.score,3):s.distance_m===void 0?"":T(s.distance_m)}var cr={none:"todo",now:"doing",reached:"done",missed:"missed",cut:"missed"};function In(s,t){let{tasks:e}=s.doc.episode,{stages:n}=s.doc,o=Tt(n,t),i=e.map((l,c)=>pr(
s,l,c,n[c],t)),r=a("ol",{class:"nv-plan nv-tasks"},i);return o>=0&&queueMicrotask(()=>hr(r,i[o])),a("section",{class:"nv-plan-box nv-tasks-box"},a("h3",{text:`T\
ask in ${e.length} parts`}),r)}function hr(s,t){Wt(s,t);let e=s.closest(".nv-pane-top");if(!e)return;let[n,o]=[t.getBoundingClientRect(),e.getBoundingClientRect()];
n.bottom>o.bottom?e.scrollTop+=Math.min(n.bottom-o.bottom,n.top-o.top):n.top<o.top&&(e.scrollTop-=o.top-n.top)}function dr(s,t){return!s||s.first===void 0||s.last===
void 0?{state:"none",said:s?.status??""}:t<s.first?{state:"none",said:"to come"}:t<s.last||s.state==="now"?{state:"now",said:"now"}:{state:s.state,said:s.status}}
function pr(s,t,e,n,o){let{state:i,said:r}=dr(n,o),l=i==="now",c=`nv-task nv-${cr[i]}${l?" nv-current":""}`,h={"--nv-stage":`var(--nv-${F(e)})`},d=n!==void 0&&i!==
"none"&&!l;return a("li",{class:c,style:h,data:{stage:e+1},title:`Part ${e+1}: ${r}`,on:{click:()=>s.toStage(e)}},a("span",{class:"nv-stage-number",text:String(
e+1)}),a("span",{class:"nv-what"},m(s.linker,t.description),t.region?a("span",{class:"nv-then",text:` ${t.region}`}):null,t.actions.length?a("span",{class:"nv-t\
hen",text:`, then ${t.actions.join(", ")}`}):null),a("span",{class:"nv-said",text:d&&n?`${r}${ur(n)}`:r}))}function ur({state:s,moves:t,reference_moves:e,nearest_m:n}){
let o=e===void 0?"":` of ${U(e)}`,i=t===void 0?"":` · ${U(t)}${o} steps`,r=n===void 0||s==="reached"?"":` · nearest ${T(n)}`;return`${i}${r}`}var Ue={TODO:["todo","to do"],IN_PROGRESS:["doing","in progress"],COMPLETED:["done","completed"],SKIPPED:["skipped","skipped"]},Vt=class{constructor(t){this.player=
t}sections(t){let e=this.player.doc.stages.length?In(this.player,this.player.step):null;return[this.instruction(),e,this.plan(t),t?this.decision(t):this.hint()].
filter(o=>o!==null)}instruction(){let{doc:t,linker:e}=this.player,n=t.episode.instruction||"This episode has no instruction.";return a("section",{class:"nv-inst\
ruction"},a("h3",{text:"Instruction"}),a("p",{},m(e,n)))}plan(t){let{doc:e,atEnd:n}=this.player,o=n&&!e.running?e.end?.plan:void 0,i=t?.plan??(o?.length?o:e.planning.
sub_goals);if(!i.length&&(e.stages.length||!e.episode.tasks.length))return null;let r=t?.sub_goal,l=i.length?i.map(([h,d,p],u)=>this.subGoal(u,this.player.text(
h),d,p,r)):e.episode.tasks.map((h,d)=>this.subGoal(d,h.description,"TODO",null,r)),c=a("ol",{class:"nv-plan"},l);return r!==void 0&&queueMicrotask(()=>Wt(c,l[r])),
a("section",{class:"nv-plan-box"},a("h3",{text:i.length?"Plan":"Tasks"}),c)}subGoal(t,e,n,o,i){let[r,l]=Ue[n]??Ue.TODO,c=`nv-${r}${t===i?" nv-current":""}`,h={click:()=>this.
player.toSubGoal(t)},{doc:d}=this.player,p=S(d,Ae(d.steps,t)),u=d.skills?.[Ae(d.steps,t)??-1]?.name;return a("li",{class:c,title:`Sub-goal ${t+1}: ${l}`,on:h},a(
"span",{class:"nv-state","aria-label":l,role:"img"}),p?a("i",{class:"nv-swatch",title:u??"",style:{"background-color":p}}):null,a("span",{class:"nv-what"},m(this.
player.linker,e)),o?a("span",{class:"nv-try",title:`try ${o} of this sub-goal`,text:`try ${o}`}):null)}hint(){let{doc:t}=this.player,e="This run has no steps.";
return t.steps.length?e="Before the first step. Press → or space.":t.running&&(e="The run is starting."),a("section",{class:"nv-decision nv-mute"},a("p",{text:e}))}decision(t){
let e=t.decision,n=this.player.doc.divergence?.step===this.player.step,o=[e&&!e.legal?a("span",{class:"nv-flag nv-bad",text:"illegal"}):null,t.retries?a("span",
{class:"nv-flag nv-warn",text:N(t.retries,"retry","retries")}):null,e?.stop?a("span",{class:"nv-flag",text:"stops"}):null,n?a("span",{class:"nv-flag nv-warn",text:"\
leaves the route"}):null];return a("section",{class:"nv-decision"},a("h3",{},"Decision",o),a("p",{class:"nv-where"},this.move(t)),e?.reason?a("p",{class:"nv-rea\
son"},m(this.player.linker,e.reason)):null)}move(t){let{doc:e,atEnd:n}=this.player,o=this.player.nodeMark(t.node),i=t.decision;if(!i){let l=t.path.length>0;return[
e.running&&n?"deciding at ":l?"walked from ":"at ",o,...l?[" to ",this.player.nodeMark(t.path.at(-1))]:[]]}let r=t.path.length-1;return[o,a("span",{class:"nv-ar\
row",text:" → "}),i.target_id?this.player.nodeMark(i.target,i.target_id):a("span",{class:"nv-mute",text:fr(i)}),i.sub_goal_status?this.verdict(i.sub_goal_status):
null,...r>0?[" ",a("span",{class:"nv-hops nv-mute",text:N(r,"link","links")})]:[]]}verdict(t){let[e,n]=Ue[t]??["todo",t];return a("span",{class:`nv-verdict nv-${e}`,
text:n})}};function fr({action:s,stop:t}){return s?s.replaceAll("_"," ")+(t&&s!=="stop"?", stop":""):t?"stop":"no place named"}function Rn(s,t,e){return t===void 0?
a("span",{class:"nv-mute",text:"an unknown place (hole in the log)"}):typeof t=="number"?_(e??s.nodes.ids[t],`n:${t}`):a("span",{class:"nv-foreign",title:"This \
id is not in the graph.",text:e??t})}var mr=30,Kt=class{constructor(t,e){this.player=t,this.folds=new Map,this.tab=t.options.tab??"thoughts",this.chosen=!1,this.shown=null,this.top=a("div",{class:"\
nv-pane-top"}),this.split=a("div",{class:"nv-split nv-split-row"}),this.tabs=a("div",{class:"nv-tabs",role:"tablist"}),this.body=a("div",{class:"nv-tab-body",role:"\
tabpanel",tabindex:-1}),e.append(this.top,this.split,this.tabs,this.body),this.topView=new Vt(t),this.calls=new Ut(t,this.folds)}show(t){let{doc:e}=this.player,
n=t??e.planning,{body:o}=this,i=e.running&&o.scrollHeight-o.scrollTop-o.clientHeight<mr,r=o.scrollTop;this.top.replaceChildren(...this.topView.sections(t));let l=this.
tabList(n,t),c=l.find(p=>p.key===this.tab)??l[0],h=c.empty&&!this.chosen?l.find(p=>!p.empty)??c:c;this.tabs.replaceChildren(...l.map(p=>this.tabButton(p,p===h)));
let d=this.shown===h.key;this.shown=h.key,o.replaceChildren(h.draw()),i&&d?o.scrollTop=o.scrollHeight:r&&!(d&&(h.key==="prompt"||e.running))&&(o.scrollTop=0)}open(t){
this.tab=t,this.chosen=!0,this.player.repaintPane()}tabList(t,e){let{calls:n}=t,o=this.player.atEnd?this.player.doc.streaming:{},r=[{key:"thoughts",name:"Though\
ts",empty:!n.some(c=>c.thoughts!==void 0)&&!o.thoughts,draw:()=>this.calls.thoughts(n,o)},{key:"prompt",name:"Prompt",empty:!n.length,draw:()=>this.calls.prompts(
n)},{key:"reply",name:"Reply",empty:!n.length&&!o.reply,draw:()=>this.calls.replies(n,o)}];e&&r.push({key:"seen",name:"Seen",empty:!e.observation,draw:()=>Cn(e,
this.player,this.calls)});let l={linker:this.player.linker,doc:this.player.doc,folds:this.folds,step:this.player.step,go:c=>this.player.go(c)};for(let c of t.panels)
r.push({key:`panel:${c.title}`,name:c.title,empty:!1,draw:()=>On(c,l)});return r}tabButton(t,e){return a("button",{class:`nv-tab${e?" nv-open":""}${t.empty?" nv\
-empty":""}`,role:"tab",type:"button","aria-selected":String(e),title:t.name,text:t.name,data:{tab:t.key},on:{mousedown:w,click:()=>this.open(t.key)}})}scrollTo(t){
let e=this.body.querySelector(`[data-ref="${CSS.escape(t)}"]`);e&&this.scrollToElement(e)}scrollToElement(t){let e=t.getBoundingClientRect().top-this.body.getBoundingClientRect().
top+this.body.scrollTop;this.body.scrollTo({top:e-60,behavior:"smooth"})}};function Pn(){let s=new URLSearchParams(location.search);return[location.pathname,s.get("run"),s.get("episode")].join(" ")}var Zt=class{constructor(t){this.player=
t,this.place=Pn(),this.written=0,this.waiting=void 0}get on(){return this.player.options.deepLink!==!1}start(){let{doc:t,count:e,options:n}=this.player;if(t.running)
return e;let o=(this.on?this.told():null)??n.step??"";return/^\d+$/.test(String(o))?Math.min(Number(o),e):Math.min(1,e)}told(){return new URLSearchParams(location.
search).get("step")}remember(){this.on&&(clearTimeout(this.waiting),performance.now()-this.written>250?this.write():this.waiting=setTimeout(()=>this.write(),120))}write(){
if(this.written=performance.now(),this.place!==Pn())return;let t=new URL(location.href);t.searchParams.set("step",String(this.player.step));try{history.replaceState(
history.state,"",t)}catch{}}keep(){this.written&&this.told()!==String(this.player.step)&&this.remember()}forget(){clearTimeout(this.waiting)}};var ft={NE:"Navigation error: distance from the stop to the goal, in metres",TL:"Length of the agent's path, in metres",SPL:"Success weighted by path length",nDTW:"\
Normalised dynamic time warping",SDTW:"Success weighted by nDTW",CLS:"Coverage weighted by length score"},gr={NE:"Navigation error: mean distance from the stops\
 to their targets, in metres",SPL:"Success of the whole task weighted by path length",ISR:"Independent success rate: share of the parts that were done",CSR:"Con\
ditional success rate: a part counts more right after one that was done",CGT:"CSR weighted by the ground truth's length of each part",TAR:"Target approach rate:\
 how near the stops came, 1 at the target"},yr={NE:ft.NE,TL:ft.TL,SPL:ft.SPL,nDTW:ft.nDTW,SR_reverie:"REVERIE's success: 1 if the last viewpoint sees the target\
 object, however far the path's end is",RGS:"Remote grounding success: 1 if the object that was named is the target"},kr=new Set(["NE","TL"]),wr=new Set(["error",
"budget","limit"]),xr=10,Xt=class{constructor(t,e,n){this.player=t,this.headBox=e,this.noteBox=n}show(){let{doc:t,options:e}=this.player,n=t.compare&&t.label?this.
runs():this.facts();this.headBox.hidden=e.header===!1,this.headBox.replaceChildren(a("h2",{text:t.title,title:t.title}),a("span",{class:"nv-facts",text:n,title:n}),
...this.figures()),this.showNotes()}facts(){let{doc:t}=this.player;return[...new Set([t.run,t.navigator,...br(t.settings),t.model].filter(Boolean))].join("  ·  ")}runs(){
let{doc:t}=this.player,e=[t.label,t.compare?.label,...(t.further??[]).map(n=>n.label)];return`${e.length} runs: ${e.join("  ·  ")}`}showNotes(){let{doc:t,linker:e}=this.
player,n=[...t.notes];t.end&&wr.has(t.end.status)&&n.push(`The run ended early (${t.end.status})${t.end.reason?`: ${t.end.reason}`:"."}`);let o=t.divergence?.sentence;
this.noteBox.replaceChildren(...o?[t.divergence?.step?this.divergence(o):a("p",{class:"nv-note"},m(e,o))]:[],...n.map(i=>a("p",{class:"nv-note",text:i})))}divergence(t){
return a("button",{type:"button",class:"nv-note nv-note-divergence",title:"Go to this step (d)",on:{mousedown:w,click:()=>this.player.toDivergence()}},a("span",
{class:"nv-glyph nv-mark-divergence"}),a("span",{},m(this.player.linker,t)))}figures(){let{doc:t}=this.player,e=Object.keys(this.metrics()).filter(n=>n in t.metrics);
return[this.outcome(),...e.map(n=>this.figure(n))].filter(n=>n!==null)}metrics(){let{doc:t}=this.player;return t.episode.tasks.length?gr:t.metrics.SR_reverie===
void 0?ft:yr}outcome(){let{doc:t}=this.player;if(t.running)return a("span",{class:"nv-outcome nv-live",text:"running"});let e=t.metrics.SR;return e==null?null:e>=
1?a("span",{class:"nv-outcome nv-success",text:"✓ success"}):a("span",{class:"nv-outcome nv-failure",text:"✕ failure"})}figure(t){let{metrics:e,compare:n}=this.
player.doc,o=n?.metrics[t],i=this.rerun()&&this.told(t,o??null)===this.told(t,e[t]);return a("span",{class:"nv-figure",title:this.metrics()[t]},a("span",{text:t}),
a("b",{text:this.told(t,e[t])}),o==null||i?null:a("i",{text:`${this.rerun()?"was":"vs"} ${this.told(t,o)}`}))}rerun(){let{doc:t}=this.player,{compare:e}=t;return!e||
t.navigator!==e.navigator||t.model!==e.model?!1:t.episode.instruction!==e.instruction||!!(t.forked_from??e.forked_from)}told(t,e){if(!kr.has(t))return M(e,2);let n=this.
player.doc.episode.success_radius_m<xr;return T(e,n?2:(e??0)<100?1:0)}};function br(s){return Object.entries(s??{}).filter(([,e])=>typeof e=="string").flatMap(([
e,n])=>{let o=String(n);return o.startsWith("text variant")?["text variant"]:o.includes("(stand-in)")?[`${e}=${o}`]:[]})}var Bn=[["← →","step"],["shift + ← →","sub-goal"],["home, end","start, end"],["space","play, pause"],["1 – 9","speed"],["d","to the divergence"],["ctr\
l + k, /","search"],["f","present"],["escape","leave"],["?","these keys"]],vr=[["n, p","next, previous episode"]],Sr=[["b","branch off: fork at this step"]],Jt=class{constructor(t){
let{actions:e,episodes:n}=t.options,o=[...n?vr:[],...e?.some(({name:r})=>r==="fork")?Sr:[]],i=[...Bn.slice(0,6),...o,...Bn.slice(6)];this.box=a("dialog",{class:"\
nv-help","aria-label":"Keys"},a("h3",{text:"Keys"}),a("dl",{},i.flatMap(([r,l])=>[a("dt",{text:r}),a("dd",{text:l})])),a("p",{class:"nv-mute",text:"Point at a n\
ode id, a letter or a landmark in any text: the map shows where it is. Click it, and the map goes there."})),t.root.append(this.box)}get isOpen(){return this.box.
open}close(){this.box.close()}toggle(){this.isOpen?this.close():this.box.show()}};var ot=[],it=null,Yt=!1;function jn(s){ot.length||(window.addEventListener("keydown",Dn),window.addEventListener("pointerdown",Hn,!0)),ot.push(s),Tr(s)}function Fn(s){
ot.splice(ot.indexOf(s),1),it===s&&(it=null),!ot.length&&(window.removeEventListener("keydown",Dn),window.removeEventListener("pointerdown",Hn,!0))}function Hn(){
Yt=!1}function Ve(s){it=s}function Mr(){return it&&zn(it)?it:ot.findLast(zn)??null}var zn=s=>s.root.isConnected&&s.root.getClientRects().length>0;function Tr(s){
let{activeElement:t}=document;t instanceof HTMLInputElement&&t.getAttribute("role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!s.root.contains(t)&&
t.blur()}function Dn(s){s.key==="Tab"&&(Yt=!0);let t=Mr();if(!t||s.defaultPrevented)return;s.key==="Escape"&&s.target instanceof HTMLTextAreaElement&&s.target.blur();
let n=(s.ctrlKey||s.metaKey)&&!s.altKey&&!s.shiftKey&&s.key.toLowerCase()==="k"?()=>t.search.open():$r(t,s);n&&(s.preventDefault(),s.stopPropagation(),Lr(t),n())}
function Lr(s){let{activeElement:t}=document;Yt||!(t instanceof HTMLElement)||s.root.contains(t)||t.blur()}function $r(s,t){return t.ctrlKey||t.metaKey||t.altKey||
Ir(t)?null:Er(s,t)}function Er(s,{key:t,shiftKey:e}){let n=o=>()=>{s.pause(),e?s.bySubGoal(o):s.go(s.step+o)};if(/^[1-9]$/.test(t))return()=>s.transport.setSpeed(
Number(t));switch(t){case"ArrowRight":return n(1);case"ArrowLeft":return n(-1);case"Home":return()=>s.go(0);case"End":return()=>s.go(s.count);case" ":return()=>s.
toggle();case"d":return()=>s.toDivergence();case"n":return s.options.episodes?()=>s.toEpisode("next"):null;case"p":return s.options.episodes?()=>s.toEpisode("pr\
evious"):null;case"b":return s.options.actions?.some(({name:o})=>o==="fork")?()=>s.act("fork"):null;case"f":return()=>s.present();case"?":return()=>s.help.toggle();case"\
/":return()=>s.search.open();case"Escape":return Ar(s);default:return null}}function Ar(s){return s.help.isOpen?()=>s.help.close():s.presenter.on?()=>s.present(
!1):null}var Or="textarea, select, [contenteditable=''], [contenteditable=true]",_r=new Set(["button","checkbox","color","file","image","radio","range","reset",
"submit"]),Cr="[role=slider], [role=listbox], [role=option], [role=menu], [role=grid], [role=radiogroup], [role=tablist], canvas[tabindex], input",Nr="button, s\
ummary, a, [role=button], [role=checkbox], [role=switch], label";function Ir(s){let t=s.composedPath()[0];return t instanceof Element?t instanceof HTMLInputElement&&
!_r.has(t.type)?!(t.getAttribute("role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!t.value&&/^(Arrow(Left|Right)|Home|End)$/.test(s.key)):t.closest(
Or)||t.closest("dialog[open] input")?!0:Yt?s.key===" "||s.key==="Enter"?t.closest(Nr)!==null:t.closest(".navviz-player")===null&&t.closest(Cr)!==null:!1:!1}var Rr=30,Ke=14,Pr=.0165,Br=5,Qt=class{constructor(t){this.player=t,this.wasFull=!1,this.instruction=a("div",{class:"nv-told",hidden:!0}),t.main.before(this.instruction);
let{signal:e}=t.stopped;document.addEventListener("fullscreenchange",()=>this.onFullscreen(),{signal:e}),window.addEventListener("resize",()=>this.fitType(),{signal:e})}get on(){
return this.player.root.classList.contains("nv-present")}turn(t=!this.on){t!==this.on&&(this.player.root.classList.toggle("nv-present",t),t?this.enterTop():this.
leaveTop(),this.player.repaintPane(),requestAnimationFrame(()=>{this.player.map.resize(),this.player.map.fit(!1)}))}onFullscreen(){!document.fullscreenElement&&
this.wasFull&&this.turn(!1),this.wasFull=!!document.fullscreenElement}enterTop(){let{root:t,options:e}=this.player;t.setAttribute("popover","manual");try{t.showPopover()}catch{}
e.fullscreen!==!1&&t.ownerDocument.documentElement.requestFullscreen?.().catch(()=>{})}leaveTop(){let{root:t}=this.player;t.style.removeProperty("font-size"),this.
instruction.hidden=!0;try{t.hidePopover()}catch{}t.removeAttribute("popover"),document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}fitType(){if(!this.
on)return;let{root:t,pane:e}=this.player;this.instruction.replaceChildren(...e.top.querySelectorAll(".nv-instruction")),this.instruction.hidden=!1;let n=Math.min(
Rr,Math.max(Ke,window.innerWidth*Pr));for(;n>Ke;n-=1)if(t.style.fontSize=`${n}px`,this.fits(n))return;t.style.fontSize=`${Ke}px`}fits(t){let{pane:e,paneBox:n}=this.
player,o=e.top.querySelector(".nv-plan"),i=e.top.scrollHeight<=e.top.clientHeight+1&&(!o||o.scrollHeight<=o.clientHeight+1),r=n.clientHeight-e.top.scrollHeight-
e.tabs.offsetHeight;return i&&r>=Br*1.5*t&&this.instruction.offsetHeight<.28*window.innerHeight}};function Gn(s,t){let e=[{what:"instruction",tab:null,step:0,text:s.episode.instruction}];s.planning.sub_goals.forEach(([n],o)=>{let i=s.steps.findIndex(r=>r.sub_goal===
o);e.push({what:`sub-goal ${o+1}`,tab:null,step:i+1,text:t[n]??""})});for(let n of s.planning.landmarks){let o=s.steps.findIndex(i=>i.observation?.pois.some(r=>r.
name===n.name));e.push({what:"landmark",tab:null,step:o+1,text:n.name})}return Wn(e,s.planning.calls,0,t),s.steps.forEach((n,o)=>{Wn(e,n.calls,o+1,t);for(let i of n.
observation?.pois??[])e.push({what:"landmark",tab:"seen",step:o+1,text:i.name});n.decision?.reason&&e.push({what:"decision",tab:null,step:o+1,text:n.decision.reason})}),
e}function Wn(s,t,e,n){for(let o of t){o.thoughts!==void 0&&s.push({what:"thoughts",tab:"thoughts",step:e,text:n[o.thoughts]??""}),o.reply!==void 0&&s.push({what:"\
reply",tab:"reply",step:e,text:n[o.reply]??""});let i=o.messages.map(({parts:r})=>r.map(([,l])=>n[l]??"").join("")).join(`

`);i&&s.push({what:"prompt",tab:"prompt",step:e,text:i})}}function qn(s,t,e){let n=t.trim().toLowerCase();if(!n)return[];let o=[];for(let i of[...s].sort((r,l)=>+(r.
what==="prompt")-+(l.what==="prompt"))){let r=i.text.toLowerCase(),l=0;for(let c=0;c<3;c+=1){let h=r.indexOf(n,l);if(h<0)break;if(l=h+n.length,o.push({...i,...zr(
i.text,h,n.length)}),o.length===e)return o}}return o}function zr(s,t,e){let n=r=>r.replace(/\s+/g," "),o=Math.max(0,t-48),i=Math.min(s.length,t+e+48);return{before:n(
(o>0?"…":"")+s.slice(o,t)),match:n(s.slice(t,t+e)),after:n(s.slice(t+e,i)+(i<s.length?"…":""))}}async function Un(s){let t=new Blob([s]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(t).json()}function Vn(s,t,e,n){let o=t.trim().
toLowerCase();if(!o)return[];let i=o.split(/\s+/),[r,l,c]=[[],[],[]];for(let[h,d]of s){if(h===n)continue;let p=h.toLowerCase(),u=d.toLowerCase();p===o?r.push(Ze(
h,d,0,0)):p.startsWith(o)?l.push(Ze(h,d,0,0)):i.every(f=>u.includes(f))&&c.push(jr(h,d,u,o,i))}return[...r,...l,...c].slice(0,e)}function jr(s,t,e,n,o){let i=e.
indexOf(n),r=i>=0?i:e.indexOf(o[0]);return Ze(s,t,r,i>=0?n.length:o[0].length)}function Ze(s,t,e,n){let o=Math.max(0,e-32),i=Math.min(t.length,e+n+90);return{id:s,
before:(o>0?"…":"")+t.slice(o,e),match:t.slice(e,e+n),after:t.slice(e+n,i)+(i<t.length?"…":"")}}var Xe=60,Je=40,Fr="This file holds one episode only; the app searches the whole run.",te=class{constructor(t){this.player=t,this.hits=[],this.others=[],this.index=
[],this.chosen=0,this.known=null;let e={input:()=>this.look(),keydown:n=>this.onKey(n)};this.field=a("input",{type:"search",class:"nv-search-field","aria-label":"\
Search",placeholder:t.options.runIndex?"Search this episode, and the run's ids and instructions":"Search prompts, thoughts, replies, landmarks",on:e}),this.list=
a("ol",{class:"nv-hits"}),this.note=a("p",{class:"nv-mute nv-search-note"}),this.box=a("dialog",{class:"nv-search","aria-label":"Search"},this.field,this.list,this.
note),t.root.append(this.box),this.box.addEventListener("focusout",n=>{this.box.contains(n.relatedTarget)||this.box.close()})}open(){this.player.pause(),this.box.
open||this.box.show(),this.field.focus(),this.field.select(),this.look(),this.readIndex()}async readIndex(){let t=await this.player.options.runIndex?.();!t||t===
this.index||(this.index=t,this.box.open&&this.look())}close(){this.field.blur(),this.box.close()}all(){let{doc:t,strings:e}=this.player;return this.known?.doc!==
t&&(this.known={doc:t,all:Gn(t,e)}),this.known.all}look(){let t=this.field.value;this.hits=qn(this.all(),t,Xe),this.others=Vn(this.index,t,Je,this.player.doc.episode.
id),this.chosen=0,this.note.textContent=this.said(t);let e=this.hits.length;this.list.replaceChildren(...this.hits.map((n,o)=>this.row(n,o,n.step===0?"start":`s\
tep ${n.step}`,n.what)),...this.others.map((n,o)=>this.row(n,e+o,"episode",n.id))),this.choose(0)}said(t){let e=this.player.options.file?Fr:"";if(!t.trim())return`\
↑ ↓ choose, enter goes there, escape leaves. ${e}`.trim();let n=[];return this.hits.length===Xe&&n.push(`The first ${Xe} places in this episode.`),this.others.
length===Je&&n.push(`The first ${Je} other episodes.`),this.hits.length||n.push(this.others.length||!this.index.length?"Nothing in this episode says that.":"Not\
hing in this episode, and no other instruction of the run, says that."),[...n,e].join(" ").trim()}row(t,e,n,o){return a("li",{class:n==="episode"?"nv-hit nv-hit\
-episode":"nv-hit",on:{mousedown:r=>r.preventDefault(),click:()=>this.go(e),mousemove:()=>this.choose(e)}},a("span",{class:"nv-hit-where",text:`${n} · ${o}`}),
a("span",{class:"nv-hit-text"},t.before,a("mark",{text:t.match}),t.after))}choose(t){this.chosen=Math.max(0,Math.min(this.hits.length+this.others.length-1,t)),[
...this.list.children].forEach((e,n)=>{e.classList.toggle("nv-on",n===this.chosen),n===this.chosen&&e.scrollIntoView({block:"nearest"})})}onKey(t){if(t.key==="E\
scape")this.close();else if(t.key==="Enter")this.go(this.chosen);else if(t.key==="ArrowDown")this.choose(this.chosen+1);else if(t.key==="ArrowUp")this.choose(this.
chosen-1);else return;t.preventDefault(),t.stopPropagation()}go(t){let{player:e}=this,n=this.hits[t],o=this.others[t-this.hits.length];if(!(!n&&!o)){if(this.close(),
!n){e.options.onAction?.("open",e.step,o.id);return}e.go(n.step),n.tab&&(e.pane.open(n.tab),this.show(n))}}show(t){let{body:e}=this.player.pane,n=Hr(e,t.match.toLowerCase());
if(!n?.startContainer.parentElement)return;let o=n.startContainer.parentElement;for(let i=o.closest("details");i;i=i.parentElement?.closest("details")??null)i.open=
!0;this.player.pane.scrollToElement(o),getSelection()?.removeAllRanges(),getSelection()?.addRange(n)}};function Hr(s,t){let e=document.createTreeWalker(s,NodeFilter.
SHOW_TEXT),n=[],o="";for(;e.nextNode();){let d=e.currentNode;n.push([d,o.length]),o+=d.data}let i=o.toLowerCase().indexOf(t);if(i<0)return null;let r=d=>n.findLast(
([,p])=>p<=d),l=r(i),c=r(i+t.length-1);if(!l||!c)return null;let h=document.createRange();return h.setStart(l[0],i-l[1]),h.setEnd(c[0],i+t.length-c[1]),h}function Kn(s){let t=[];return s.forEach((e,n)=>{let o=e.sub_goal??null,i=t.at(-1);i&&i.goal===o?i.to=n+1:t.push({goal:o,from:n+1,to:n+1})}),t}function Zn(s,t,e,n){
let o=[0,...s.map(i=>i.from),e];return n>0?o.find(i=>i>t):o.findLast(i=>i<t)}var ee=.2,se=class{constructor(t,e,n){this.player=t,this.make(e,"column",t.main,"map and text"),this.make(n,"row",t.paneBox,"plan and thoughts")}make(t,e,n,o){t.
setAttribute("role","separator"),t.setAttribute("aria-orientation",e==="column"?"vertical":"horizontal"),t.title=`Drag to share the room between ${o}; double-cl\
ick for the first share`;let i=Nt(`split.${e}`);typeof i=="number"&&this.set(n,e,i),t.addEventListener("pointerdown",r=>{r.preventDefault(),t.setPointerCapture(
r.pointerId),t.dataset.held="true"}),t.addEventListener("pointermove",r=>{if(!t.dataset.held)return;let l=Dr(n,e,r);this.set(n,e,l),ht(`split.${e}`,l)}),t.addEventListener(
"lostpointercapture",()=>{delete t.dataset.held}),t.addEventListener("dblclick",()=>{n.style.removeProperty(`--nv-${e}`),delete n.dataset[e],ht(`split.${e}`,null)})}set(t,e,n){
t.style.setProperty(`--nv-${e}`,`${(100*Math.min(1-ee,Math.max(ee,n))).toFixed(2)}%`),t.dataset[e]="set"}};function Dr(s,t,e){let n=s.getBoundingClientRect(),o=t===
"column"?(e.clientX-n.left)/n.width:(e.clientY-n.top)/n.height;return Math.min(1-ee,Math.max(ee,o))}function Wr(s){let t=/^#([0-9a-f]{3}|[0-9a-f]{6})/i.exec(s)?.[1],e;return t?e=(t.length===3?[...t].map(o=>o+o):t.match(/../g)??[]).map(o=>Number.parseInt(o,16)):
e=/rgba?\(([^)]+)\)/.exec(s)?.[1].split(/[ ,/]+/).slice(0,3).map(Number),e?(.2126*e[0]+.7152*e[1]+.0722*e[2])/255:null}function C(s){let t=getComputedStyle(s.parentElement??
s).getPropertyValue("--st-background-color").trim(),e=t?Wr(t):null;return e!==null?e>.5?"light":"dark":matchMedia("(prefers-color-scheme: dark)").matches?"dark":
"light"}var W=class{constructor(t){this.root=t,this.known=new Map}get(t){let e=`${this.root.dataset.theme} ${t}`,n=this.known.get(e)??getComputedStyle(this.root).
getPropertyValue(`--nv-${t}`).trim();return this.known.set(e,n),n}};var Gr=250,ne=class{constructor(t,e){this.player=t,this.held=!1,this.track=a("div",{class:"nv-track",role:"slider",tabindex:0,"aria-label":"Step","aria-valuemin":0}),
this.track.addEventListener("pointerdown",n=>this.grab(n)),this.track.addEventListener("pointermove",n=>{n.buttons===1&&this.held&&this.seek(n)}),this.track.addEventListener(
"pointerup",()=>{this.held=!1}),e.append(this.track),this.rows=new Mt(this,this.track),this.cursor=a("div",{class:"nv-cursor"}),this.count=0,this.segments=[],this.
segmentNodes=[],this.build()}get doc(){return this.player.doc}build(){this.count=this.doc.steps.length,this.segments=Kn(this.doc.steps),this.segmentNodes=this.segments.
map((t,e)=>this.segment(t,e)),this.track.replaceChildren(this.distances(),this.label(),...this.segmentNodes,...this.skills(),...this.cells(),...this.marks(),this.
cursor),this.rows.build(),this.track.setAttribute("aria-valuemax",String(this.count))}left(t){return 100*t/(this.count+1)}middle(t){return 100*(t+.5)/(this.count+
1)}label(){let t=this.doc.steps.some(o=>o.to_goal_m!==void 0||o.to_target_m!==void 0),e=this.doc.stages.length?"distance to target":"distance to goal",n=this.left(
1)<7?"":t?e:"start";return a("div",{class:"nv-track-label",style:{width:`${this.left(1)}%`},text:n})}segment({goal:t,from:e,to:n},o){let i=this.doc.steps[e-1].plan??
this.doc.planning.sub_goals,r=t===null?void 0:i[t],l=t===null?"":`${t+1}  ${r?(this.player.strings[r[0]]??"").slice(0,300):""}`,c=`nv-segment${o%2?" nv-odd":""}${t===
null?" nv-unplanned":""}`,h={left:`${this.left(e)}%`,width:`${this.left(n+1)-this.left(e)}%`};return a("div",{class:c,title:l,style:h},a("span",{text:l}))}cells(){
return this.count>Gr?[]:Array.from({length:this.count+1},(t,e)=>a("div",{class:"nv-tick",style:{left:`${this.left(e)}%`}}))}skills(){let{doc:t}=this;return ct(t.
steps,0,this.count).flatMap(({skill:e,back:n,from:o,to:i})=>{let r=S(t,e);if(e===void 0||!r)return[];let l=i-o>1?`Steps ${o+1} to ${i}`:`Step ${i}`,c={left:`${this.
left(o+1)}%`,width:`${this.left(i+1)-this.left(o+1)}%`,"background-color":r},h=`${l}: ${t.skills?.[e]?.name}${n?", back to the best stop":""}`;return[a("div",{class:"\
nv-track-skill",title:h,style:c,data:{skill:e}})]})}marks(){let{doc:t}=this,e=[],n=(r,l,c)=>{let h={mark:l,step:r};e.push(a("div",{class:`nv-mark nv-mark-${l}`,
title:`Step ${r}: ${c}`,data:h,style:{left:`${this.middle(r)}%`}}))};t.steps.forEach((r,l)=>{r.decision&&!r.decision.legal?n(l+1,"illegal","illegal decision"):r.
retries&&n(l+1,"retry","retried")});let o=t.divergence;o?.step&&n(o.step,"divergence",o.sentence??"leaves the reference path"),o?.returned_step&&n(o.returned_step,
"returned","back on the reference path");let i=t.compare?.first_difference;return i&&i<=this.count&&n(i,"difference","first difference to the run compared"),t.forked_from?.
step&&n(Math.min(t.forked_from.step,this.count),"fork","forked here"),t.end&&this.count&&n(this.count,"stop",`the end (${t.end.status})`),e}distances(){let{stages:t}=this.
doc,e=this.doc.steps.map(d=>t.length?d.to_target_m:d.to_goal_m),n=y("svg",{class:"nv-distances",viewBox:"0 0 100 100",preserveAspectRatio:"none","aria-hidden":"\
true"}),o=e.filter(d=>d!==void 0);if(o.length<2)return n;let i=this.doc.episode.success_radius_m,r=Math.max(...o,i*2),l=d=>96-88*d/r,c=(d,p)=>d===void 0?[]:[[this.
middle(p+1),l(d)]],h=t.length?t.map(({first:d,last:p})=>[d??1,p??0]):[[1,e.length]];for(let[d,p]of h){let u=e.slice(d-1,p).flatMap((g,E)=>c(g,d-1+E));if(u.length<
2)continue;let f=u.map(g=>g.join(",")).join(" ");n.append(y("polygon",{points:`${u[0][0]},100 ${f} ${u[u.length-1][0]},100`}),y("polyline",{points:f,"vector-eff\
ect":"non-scaling-stroke"}))}return n.append(y("line",{x1:0,x2:100,y1:l(i),y2:l(i),"vector-effect":"non-scaling-stroke"})),n}show(t){this.cursor.style.setProperty(
"left",`${this.middle(t)}%`),this.rows.show(t),this.track.setAttribute("aria-valuenow",String(t)),this.segments.forEach(({from:e,to:n},o)=>{this.segmentNodes[o].
classList.toggle("nv-now",t>=e&&t<=n)})}grab(t){t.button===0&&(this.held=!0,this.track.setPointerCapture(t.pointerId),t.preventDefault(),this.seek(t))}seek(t){let e=this.
track.getBoundingClientRect(),n=(t.clientX-e.left)/e.width;this.player.pause(),this.player.go(Math.floor(n*(this.player.count+1)))}};var qr=2400,Ur=2,Vr=320,oe=class{constructor(t,e){this.player=t,this.speed=Ur,this.timer=null,this.playButton=this.button("play","Play (space)",()=>this.toggle()),
this.where=a("span",{class:"nv-step"}),this.tally=a("span",{class:"nv-tally"}),this.speedBox=this.speeds(),e.append(this.bar())}button(t,e,n){return v(t,e,n,{press:t})}bar(){
let{player:t}=this;return a("div",{class:"nv-transport"},this.button("first","Start (home)",()=>t.go(0)),this.button("previous","Step back (←)",()=>t.go(t.step-
1)),this.playButton,this.button("next","Step on (→)",()=>t.go(t.step+1)),this.button("last","End (end)",()=>t.go(t.count)),this.speedBox,this.where,a("span",{
class:"nv-gap"}),this.tally,(t.options.actions??[]).map(e=>this.action(e)),this.button("search","Search (ctrl + k)",()=>t.search.open()),this.button("keys","Key\
s (?)",()=>t.help.toggle()),this.button("present","Present (f)",()=>t.present()))}action({name:t,label:e}){return a("button",{type:"button",class:"nv-action",data:{
action:t},on:{mousedown:w,click:()=>this.player.options.onAction?.(t,this.player.step)},text:e})}speeds(){let t=Array.from({length:9},(o,i)=>a("option",{value:i+
1,text:`${i+1}×`})),n=a("select",{class:"nv-speed",title:"Speed (1 – 9)","aria-label":"Speed",on:{change:()=>{this.setSpeed(Number(n.value)),n.blur()}}},t);return n.
value=String(this.speed),n}show(t){let{player:e}=this;this.where.replaceChildren(a("b",{text:`Step ${e.step}`}),` of ${e.count}`);let n=t.partial?"+":"";this.tally.
replaceChildren(this.fact("tokens",t.tokens===void 0?"–":M(t.tokens)+n,"Tokens so far; a dash where the log does not say"),this.fact("time",bt(t.seconds),"Tim\
e of the model calls so far"),t.list_price?this.fact("list price",X(t.cost_usd),"Cost so far at list price; the log does not tell what was paid"):this.fact("cos\
t",X(t.cost_usd),"Cost so far"))}fact(t,e,n){return a("span",{title:n,class:e==="–"?"nv-unknown":""},a("i",{text:t}),e)}get playing(){return this.timer!==null}toggle(){
this.playing?this.pause():this.play()}play(){let{player:t}=this;if(!t.count)return;t.atEnd&&!t.doc.running&&t.go(0);let e=(t.doc.free?Vr:qr)/this.speed;t.root.style.
setProperty("--nv-step-time",`${Math.round(e)}ms`),this.timer=setInterval(()=>this.tick(),e),this.playButton.replaceChildren(xt("pause")),t.root.dataset.playing=
"true"}tick(){this.player.atEnd?this.pause():this.player.go(this.player.step+1)}pause(){this.timer!==null&&(clearInterval(this.timer),this.timer=null,this.playButton.
replaceChildren(xt("play")),this.player.root.dataset.playing="false")}setSpeed(t){this.speed=t,this.speedBox.value=String(t),this.playing&&(this.pause(),this.play())}};function ie(s,t){let e=()=>{let o=s.getBoundingClientRect().top;for(let i=s.parentElement;i;i=i.parentElement)o+=i.scrollTop;s.style.height=`${Math.max(t(),window.
innerHeight-Math.min(o,320)-12)}px`},n=new ResizeObserver(e);for(let o=s.parentElement;o;o=o.parentElement)n.observe(o);return window.addEventListener("resize",
e),e(),()=>{n.disconnect(),window.removeEventListener("resize",e)}}async function mt(s){if(Array.isArray(s))return s;let t=Uint8Array.from(atob(s.gzip),n=>n.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream(
"gzip"));return new Response(e).json()}var Kr=460,Zr=1e3,Xr=700,z=class s{static async mount(t,e,n={}){return new s(t,e,n,await mt(e.strings))}constructor(t,e,n,o){this.root=t,this.options={deepLink:!0,
...n},this.doc=e,this.strings=o,this.linker=new pt(e),this.places=new Map,this.address=new Zt(this),this.step=this.address.start(),this.stopped=new AbortController,
this.updates=0,this.hovered=null,this.colors=new W(t),this.prepareRoot(),this.mapBox=a("div",{class:"nv-map"}),this.paneBox=a("div",{class:"nv-pane"});let i=a("\
header",{class:"nv-head"}),r=a("div",{class:"nv-notes"}),l=a("footer",{class:"nv-foot"}),c=a("div",{class:"nv-split nv-split-column"});this.main=a("div",{class:"\
nv-main"},this.mapBox,c,this.paneBox),t.append(a("div",{class:"nv-frame"},i,r,this.main,l)),this.takeHeight(),this.head=new Xt(this,i,r),this.head.show(),this.pane=
new Kt(this,this.paneBox),this.timeline=new ne(this,l.appendChild(a("div",{class:"nv-line"}))),this.transport=new oe(this,l),this.help=new Jt(this),this.search=
new te(this),this.presenter=new Qt(this),this.splits=new se(this,c,this.pane.split);let h=e.frame==="geo"?tt:Q;this.map=new h(this.mapBox,e,this.mapApi()),this.
listen(),this.show(),jn(this)}prepareRoot(){let{root:t,doc:e}=this;t.replaceChildren(),t.classList.add("navviz-player"),t.dataset.ready="false",t.dataset.theme=
this.options.theme??C(t),t.dataset.episode=e.episode.id,t.dataset.steps=String(this.count),t.dataset.free=String(e.free),this.options.shows&&(t.dataset.shows=this.
options.shows)}get count(){return this.doc.steps.length}get atEnd(){return this.step===this.count}get current(){return this.step===0?null:this.doc.steps[this.step-
1]}text(t){return this.strings[t]??""}nodeMark(t,e){return Rn(this.doc,t,e)}mapApi(){let t=this;return{get doc(){return t.doc},options:this.options,resolve:(e,n)=>this.
resolve(e,n),hover:e=>this.lightText(e),pick:e=>this.pane.scrollTo(e),mentions:e=>this.paneBox.querySelectorAll(`[data-ref="${CSS.escape(e)}"]`).length,color:e=>this.
colors.get(e),focus:()=>Ve(this)}}resolve(t,e){let n=`${e} ${t}`,o=this.places.get(n)??(t.startsWith("n:")?Dt(this.doc,Number(t.slice(2))):this.namedPlace(t,e));
return this.places.set(n,o),o}namedPlace(t,e){let n=l=>l.filter(c=>b(c.name)===t&&c.at),o=l=>n(l?.observation?.pois??[]),i=o(this.doc.steps[e-1]);i.length||(i=this.
doc.steps.flatMap(o)),i.length||(i=n(this.doc.pois));let r=i.map(l=>l.node).filter(l=>typeof l=="number");return{label:i[0]?.name??t.slice(2),nodes:r,at:i.flatMap(
l=>l.at?[l.at]:[])}}lightText(t){for(let e of this.root.querySelectorAll(".nv-ref.nv-lit"))e.classList.remove("nv-lit");for(let e of t)for(let n of this.root.querySelectorAll(
`[data-ref="${CSS.escape(e)}"]`))n.classList.add("nv-lit")}go(t){let e=Math.max(0,Math.min(this.count,t));e!==this.step&&(this.step=e,this.show(),this.address.remember(),
this.options.onStep?.(e))}show(){let{current:t}=this;this.linker.setStep(t),this.pane.show(t),this.presenter.fitType(),this.timeline.show(this.step),this.map.showStep(
this.step),this.transport.show(t?.so_far??this.doc.planning.so_far),this.root.dataset.step=String(this.step),this.root.dataset.ready!=="true"&&requestAnimationFrame(
()=>requestAnimationFrame(()=>this.painted()))}painted(){this.stopped.signal.aborted||(this.root.dataset.ready="true")}repaintPane(){this.pane.show(this.current),
this.presenter.fitType()}toDivergence(){let t=this.doc.divergence?.step??this.doc.compare?.first_difference;t&&(this.pause(),this.go(t))}toSubGoal(t){let e=this.
doc.steps.findIndex(n=>n.sub_goal===t);e<0||(this.pause(),this.go(e+1))}toStage(t){let e=this.doc.stages[t]?.first;e!==void 0&&this.jump(e)}jump(t){this.pause(),
this.go(t)}bySubGoal(t){let{stages:e}=this.doc,n=e.length?os(e,this.step,this.count,t):Zn(this.timeline.segments,this.step,this.count,t);n!==void 0&&this.go(n)}toEpisode(t){
this.pause(),this.options.onAction?.(t,this.step)}act(t){this.options.onAction?.(t,this.step)}toggle(){this.transport.toggle()}pause(){this.transport.pause()}present(t){
this.presenter.turn(t)}listen(){let{signal:t}=this.stopped,{root:e}=this;e.addEventListener("pointerdown",()=>Ve(this),{signal:t}),e.addEventListener("mouseover",
r=>this.onHover(r),{signal:t}),e.addEventListener("click",r=>this.onClick(r),{signal:t}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>this.
followTheme(),{signal:t});let{navigation:n}=window;n?.addEventListener("currententrychange",()=>this.address.keep(),{signal:t});let o=new ResizeObserver(()=>this.
map.resize());o.observe(this.mapBox);let i=new MutationObserver(()=>this.followTheme());for(let r=e.parentElement;r;r=r.parentElement)i.observe(r,{attributes:!0,
attributeFilter:["class","style"]});t.addEventListener("abort",()=>{o.disconnect(),i.disconnect()})}onHover(t){let e=Z(t);e!==this.hovered&&(this.hovered=e,this.
lightText(e?[e]:[]),this.map.highlight(e?[e]:[]))}onClick(t){let e=Z(t);!e||this.mapBox.contains(t.target)||(t.stopPropagation(),this.map.panTo(e))}followTheme(){
let t=this.options.theme??C(this.root);t!==this.root.dataset.theme&&(this.root.dataset.theme=t,this.map.setTheme())}takeHeight(){let{root:t,options:e}=this;if(typeof e.
height=="number"&&(t.style.height=`${e.height}px`),e.height!=="fill")return;let n=()=>t.clientWidth<Xr?Zr:Kr;this.stopped.signal.addEventListener("abort",ie(t,n))}async update(t){
let e=++this.updates,n=await mt(t.strings);if(e!==this.updates||this.stopped.signal.aborted)return;let o=this.atEnd;this.doc=t,this.strings=n,this.linker=new pt(
t),this.places=new Map,this.step=o?this.count:Math.min(this.step,this.count),this.root.dataset.steps=String(this.count),this.root.dataset.episode=t.episode.id,this.
head.show(),this.timeline.build(),this.map.update(t),this.show()}destroy(){this.pause(),this.address.forget(),this.presenter.turn(!1),this.stopped.abort(),Fn(this),
this.map.destroy(),this.root.replaceChildren(),this.root.removeAttribute("data-ready")}};var es={};To(es,{cookie:()=>yo,desk:()=>uo,episodes:()=>xo,guide:()=>ko,pick:()=>go,player:()=>wo,post:()=>fo,shelf:()=>mo});var Xn=[1e3,2e3,4e3,8e3,15e3],x=s=>JSON.stringify([s.dataset,s.episode,s.run]),re=class{constructor({owner:t,storage:e,send:n,onAnswer:o,onChange:i,now:r=Date.now,
name:l=Yr()}){this.prefix=`navviz:outbox:${t}:`,this.storage=e,this.deliver=n,this.onAnswer=o,this.onChange=i,this.now=r,this.name=l,this.count=0,this.stamp=0,this.
waiting=new Map,this.out=null,this.failures=0,this.again=0,this.trouble="",this.known=new Map,this.adopt()}adopt(t=Number.POSITIVE_INFINITY){for(let n=0;n<this.
storage.length;n+=1){let o=this.storage.key(n);if(!o?.startsWith(this.prefix)||this.waiting.has(o)||Number(o.slice(this.prefix.length).split(":")[0])>t)continue;
let i=Jr(this.storage.getItem(o));i&&this.waiting.set(o,i)}this.waiting=new Map([...this.waiting].sort(([n],[o])=>n<o?-1:1));let e=new Set(this.known.keys());for(let{
item:n,kind:o,id:i,seen:r}of this.actions)n&&(o==="save"||o==="undo")&&!e.has(x(n))&&this.known.set(x(n),{after:i,seen:r})}knows(t,e){this.holds(t)||this.known.
set(x(t),{after:null,seen:e})}add(t){this.count+=1;let e=`${this.name}-${this.count}`,n=t.item&&this.known.get(x(t.item))||{after:null,seen:0},o={value:null,seconds:0,
reason:null,...t,id:e,seen:n.seen,after:n.after};t.item&&(t.kind==="save"||t.kind==="undo")&&this.known.set(x(t.item),{after:e,seen:n.seen}),this.stamp=Math.max(
this.stamp,this.now());let i=`${String(this.stamp).padStart(14,"0")}:${String(this.count).padStart(8,"0")}`,r=`${this.prefix}${i}:${this.name}`;return this.waiting.
set(r,o),this.write(r,o),this.flush(),this.onChange(),o}write(t,e){try{this.storage.setItem(t,JSON.stringify(e))}catch{this.trouble="The browser's storage is fu\
ll: keep this window open until everything is saved."}}get actions(){return[...this.waiting.values()]}holds(t){let e=x(t);return this.actions.some(n=>n.item&&x(
n.item)===e)}flush(){let t=this.now();if(!this.waiting.size||t<this.again||this.out&&t-this.out.at<6e3)return;this.out&&(this.failures+=1);let[e]=this.waiting.values(),
n=[];for(let o of this.waiting.values()){if(o.queue!==e.queue||n.length===40)break;n.push(o)}this.out={ids:new Set(n.map(({id:o})=>o)),at:t},this.deliver(e.queue,
n.map(({queue:o,...i})=>i))}receive(t){let e=new Map([...this.waiting].map(([o,i])=>[i.id,{key:o,action:i}])),n="";for(let o of t){let i=e.get(o.id);if(i){if(o.
state==="failed"){n=o.told;break}this.waiting.delete(i.key),this.storage.removeItem(i.key),this.settle(o,i.action),this.onAnswer(o,i.action)}}t.some(({id:o})=>this.
out?.ids.has(o))&&(this.out=null),this.trouble=n,this.failures=n?this.failures+1:0,this.again=n?this.now()+Xn[Math.min(this.failures,Xn.length)-1]:0,this.flush(),
this.onChange()}settle(t,e){if(!t.item||t.revision===null)return;let n=x(t.item),o=this.known.get(n),i=!o||o.after===e.id||!this.holds(t.item);t.state==="confli\
ct"||i?this.known.set(n,{after:null,seen:t.revision}):o.seen=Math.max(o.seen,t.revision)}lost(){this.out=null,this.again=0,this.flush()}get state(){if(!this.waiting.
size)return"saved";let t=this.out!==null&&(this.failures>0||this.now()-this.out.at>6e3/2);return this.trouble||t?"kept":"saving"}};function Jr(s){try{let t=JSON.
parse(s??"");return typeof t?.id=="string"&&typeof t?.queue=="string"?t:null}catch{return null}}function Yr(){return[...crypto.getRandomValues(new Uint8Array(9))].
map(t=>t.toString(36).padStart(2,"0")).join("")}var Jn=(s,t)=>s.data.entries.findIndex(({item:e})=>x(e)===t);function Yn(s,t,e){let n=t.item&&x(t.item),o=n?Jn(s,n):-1;t.feedback!==void 0&&o>=0&&(s.data.entries[o].
feedback=t.feedback),t.state==="refused"&&(s.notice=`Not saved: ${t.told}`),t.state!=="saved"&&(s.past=s.past.filter(i=>i.at!==o)),t.state==="refused"&&e.kind===
"walk"&&o>=0&&s.put(o,null),t.state==="conflict"&&o>=0&&s.conflicts.set(o,t),t.state==="saved"&&e.kind==="undo"&&Qr(s,t,e,o),t.state==="saved"&&o>=0&&t.revision!==
null&&s.channel.postMessage({key:n,value:s.values[o],revision:t.revision}),(o===s.at||s.notice)&&s.showItem()}function Qr(s,t,e,n){t.told&&(s.notice=t.told),!(n<
0||s.outbox.holds(s.data.entries[n].item))&&(s.put(n,t.value),s.drafts.delete(n),!e.item&&(s.at=n,s.notice=`Undone: episode ${s.entry.item.episode}.`,s.show()))}
function Qn(s,{key:t,value:e,revision:n}){let o=Jn(s,t);o<0||s.outbox.holds(s.data.entries[o].item)||(s.outbox.knows(s.data.entries[o].item,n),s.put(o,e),s.drafts.
delete(o),s.showItem())}var ae=class{constructor(t,e=()=>performance.now()){this.idleMs=t*1e3,this.now=e,this.spent=new Map,this.item=null,this.last=null}touch(){let t=this.now();this.
last!==null&&this.item!==null&&t-this.last<=this.idleMs&&this.spent.set(this.item,(this.spent.get(this.item)??0)+t-this.last),this.last=t}turn(t){this.touch(),this.
item=t}away(){this.touch(),this.last=null}take(t){this.touch();let e=this.spent.get(t)??0;return this.spent.delete(t),Math.round(e)/1e3}};var le=[["linguistic","Linguistic intricacy","How hard is the text to take apart?"],["topological","Topological complexity","How hard is the way itself?"],["ope\
rational","Operational demand","How much is there to do and keep in mind?"]],ce=class{constructor(t,e){this.desk=t,this.box=e}get axis(){let{axis:t}=this.desk.draft;
return typeof t=="number"?t:0}level(t){let{value:e,draft:n}=this.desk;return n[t]??e?.[t]??null}show(){let t=le.map(([o,i,r],l)=>{let c=Array.from({length:10},(h,d)=>a(
"button",{type:"button",class:"nv-level",text:String(d+1),"aria-pressed":this.level(o)===d+1?"true":"false","aria-label":`${i}: ${d+1}`,on:{mousedown:w,click:()=>this.
rate(l,d+1)}}));return a("div",{class:"nv-question nv-axis",data:{axis:o},"aria-current":l===this.axis?"true":"false"},a("p",{},a("b",{text:i}),` ${r}`),a("div",
{class:"nv-levels",role:"group","aria-label":i},c))}),e=le.filter(([o])=>this.level(o)===null).map(([,o])=>o.toLowerCase()),n=e.length&&e.length<3?`Still to rat\
e: ${e.join(", ")}.`:"";this.box.replaceChildren(...t,a("p",{class:"nv-desk-hint"},a("kbd",{text:"1"})," to ",a("kbd",{text:"9"}),", ",a("kbd",{text:"0"})," for\
 10, rate the marked axis; ",a("kbd",{text:"↑"}),a("kbd",{text:"↓"})," mark another.",n&&a("b",{text:` ${n}`})))}commands(){let t=Array.from({length:10},(n,o)=>({
keys:[String((o+1)%10)],label:String(o+1),run:()=>this.rate(this.axis,o+1)})),e=n=>()=>this.desk.keep({axis:(this.axis+n+3)%3});return[...t,{keys:["ArrowUp"],label:"\
Axis above",run:e(-1)},{keys:["ArrowDown"],label:"Axis below",run:e(1)}]}rate(t,e){let{desk:n}=this;n.keep({[le[t][0]]:e,axis:Math.min(t+1,2)});let o=Object.fromEntries(
le.map(([i])=>[i,this.level(i)]));Object.values(o).every(i=>i!==null)&&n.save({...n.value,...o})}};var ta="textarea, select, [contenteditable=''], [contenteditable=true]",ea=new Set(["button","checkbox","color","file","image","radio","range","reset","submit"]);
function to(s){let t=s.composedPath()[0];return t instanceof Element?document.querySelector("dialog[open]")||t.closest("[role=dialog]")?!0:t instanceof HTMLInputElement&&
!ea.has(t.type)?!(t.getAttribute("role")==="combobox")||t.getAttribute("aria-expanded")==="true":t.closest(ta)?!0:(s.key==="Enter"||s.key===" ")&&t.matches("but\
ton, a, summary, [role=button]")&&t.matches(":focus-visible"):!1}var eo=s=>s.key.length===1?s.key.toLowerCase():s.key;function so(s){return{ArrowUp:"↑",ArrowDown:"\
↓",ArrowLeft:"←",ArrowRight:"→",Enter:"↵",Escape:"Esc"," ":"Space"}[s]??s.toUpperCase()}function k(s,{chosen:t=!1,disabled:e=!1,look:n="",title:o}={}){let i=s.keys[0];return a("button",{type:"button",class:`nv-key-button ${n}`,"aria-pressed":t?"tru\
e":"false",disabled:e,title:o??(n.includes("nv-line")?s.label:void 0),on:{mousedown:w,click:s.run}},a("span",{text:s.label}),i!==void 0&&a("kbd",{text:so(i)}))}
function rt(s,t,e="nv-choices"){return a("div",{class:"nv-question"},a("p",{text:s}),a("div",{class:e},t))}var sa=8,he=class{constructor(t,e){this.desk=t,this.box=e,this.chosen=0,this.field=a("input",{type:"text",class:"nv-field",placeholder:"Code or words, then ↵",
"aria-label":"Find a label",autocomplete:"off",on:{input:()=>this.turn(0),keydown:n=>this.onKey(n)}}),this.list=a("div",{class:"nv-finder-list",role:"listbox","\
aria-label":"Labels"}),this.help=a("p",{class:"nv-desk-hint"}),this.finder=a("div",{class:"nv-finder",hidden:!0},this.field,this.list,this.help)}get given(){return this.
desk.value?.labels??[]}get step(){return this.desk.draft.whole?null:this.desk.playerStep||null}show(){let[t,e,n,o,i]=this.commands(),{value:r,draft:l}=this.desk,
c=this.step?`at step ${this.step}`:"for the whole episode";this.box.replaceChildren(a("p",{text:"What went wrong, and where?"}),a("div",{class:"nv-scale nv-acts"},
k({...t,label:`Label ${c}`}),k(e,{chosen:!!l.whole,title:"Not for the step that is shown"}),k(n,{chosen:r!==null&&!this.given.length,disabled:this.given.length>
0})),this.finder,...this.offers().map((h,d)=>this.suggestion(h,d===0?i:{...i,keys:[]})),...this.given.map((h,d)=>this.line(h,d)),this.given.length?k(o):"")}offers(){
let t=new Set(this.given.map(({code:e})=>e));return(this.desk.sheet?.suggestions??[]).filter(({code:e})=>!t.has(e))}suggestion(t,e){let{code:n,title:o,step:i}=t,
r=()=>this.give({code:n,step:i,note:"",suggested:!0});return a("div",{class:"nv-card"},a("p",{class:"nv-mute",text:t.caption}),a("p",{text:`${n} ${o}. ${t.sentence}`}),
k({...e,run:r,label:"Take it over"}))}line(t,e){let n=this.desk.data.labels.find(({code:r})=>r===t.code)?.titles.at(-1)??"",o=t.step?`step ${t.step}`:"whole epi\
sode",i=a("input",{type:"text",class:"nv-field",value:t.note,placeholder:"Note","aria-label":`Note for ${t.code}`,on:{change:()=>this.note(e,i.value),keydown:na}});
return a("div",{class:"nv-card nv-given",data:{code:t.code}},a("p",{text:`${t.code} ${n} (${o}${t.suggested?", from a suggestion":""})`}),a("div",{class:"nv-cho\
ices"},i,a("button",{type:"button",class:"nv-small",text:"Remove",on:{mousedown:w,click:()=>this.drop(e)}})))}commands(){return[{keys:["a"],label:"Label",run:()=>this.
open()},{keys:["w"],label:"Whole episode",run:()=>this.desk.keep({whole:!this.desk.draft.whole})},{keys:["n"],label:"Nothing failed",run:()=>this.given.length||
this.put([])},{keys:["x"],label:"Remove the last",run:()=>this.given.length&&this.drop(this.given.length-1)},{keys:["t"],label:"Take it over",run:()=>{let[t]=this.
offers();t&&this.give({code:t.code,step:t.step,note:"",suggested:!0})}}]}open(){this.finder.hidden=!1,this.field.value="",this.turn(0),this.field.focus()}close(){
this.finder.hidden=!0,this.field.blur()}matches(){let t=this.field.value.trim().toLowerCase(),e=t.split(/\s+/);return this.desk.data.labels.filter(({code:o,titles:i,
help:r})=>{let l=`${o} ${i.join(" ")} ${r}`.toLowerCase();return e.every(c=>l.includes(c))}).sort((o,i)=>no(o,t)-no(i,t)).slice(0,sa)}turn(t){let e=this.matches();
this.chosen=e.length?(t+e.length)%e.length:0,this.list.replaceChildren(...e.map((n,o)=>a("div",{role:"option",class:"nv-option",text:`${n.code}  ${n.titles.slice(
-2).join(" › ")}`,title:n.titles.join(" › "),"aria-selected":o===this.chosen?"true":"false",on:{mousedown:w,click:()=>this.take(n)}}))),this.help.textContent=
e.length?e[this.chosen].help:"No label holds these words."}onKey(t){let n={ArrowDown:()=>this.turn(this.chosen+1),ArrowUp:()=>this.turn(this.chosen-1),Escape:()=>this.
close(),Enter:()=>{let o=this.matches()[this.chosen];o&&this.take(o)}}[t.key];n&&(t.preventDefault(),t.stopPropagation(),n())}take(t){this.close(),this.give({code:t.
code,step:this.step,note:"",suggested:!1})}give(t){this.given.some(({code:n,step:o})=>n===t.code&&o===t.step)||this.put([...this.given,t])}drop(t){this.put(this.
given.filter((e,n)=>n!==t))}note(t,e){this.put(this.given.map((n,o)=>o===t?{...n,note:e}:n))}put(t){let{desk:e}=this,{name:n,version:o}=e.data.taxonomy??{name:"",
version:1};e.save({taxonomy:n,taxonomy_version:o,...e.value,labels:t})}},no=({code:s},t)=>s.toLowerCase()===t?0:s.toLowerCase().startsWith(t)?1:2;function na(s){
s.key==="Enter"&&s.target instanceof HTMLElement&&s.target.blur()}var oa=(s,t,e)=>`${s} ${s===1?t:e}`,de=class{constructor(t,e){this.desk=t,this.box=e}get stand(){return this.desk.sheet?.stand??null}show(){let{value:t}=this.desk,
{stand:e}=this;if(t){let d=t.gave_up?"You gave up on this one.":"Saved. Your walk is kept as a trace of the navigator “human”.";this.box.replaceChildren(a("\
p",{text:d}),a("p",{class:"nv-desk-hint",text:"Whether you arrived is not shown, so that it does not change how you walk the next one. Undo lets you walk again."}));
return}if(!e){this.box.replaceChildren(a("p",{class:"nv-desk-hint",text:"Looking around …"}));return}let n=this.commands(),o=n.filter(({keys:d})=>/^[1-9]$/.test(
d[0])),[i,r,l,c]=n.slice(o.length),h=e.in_sight.length?`In sight: ${e.in_sight.join("; ")}.`:"No place in sight that the text names.";this.box.replaceChildren(a(
"p",{text:"Where to? Click a ringed place on the map, or choose here."}),a("div",{class:"nv-column"},o.map(d=>k(d,{look:"nv-offer"}))),a("div",{class:"nv-choice\
s"},k(i),k(r,{disabled:!e.taken.length})),a("div",{class:"nv-choices"},k(l,{look:"nv-wide nv-main-key"}),k(c)),a("p",{class:"nv-desk-hint",text:h}),a("p",{class:"\
nv-desk-hint",text:`${oa(e.taken.length,"choice","choices")} so far, ${Math.round(e.walked_m)} m walked.${e.told?` ${e.told}`:""}`}))}commands(){let{stand:t}=this;
return!t||this.desk.value?[]:[...t.choices.filter(({listed:e})=>e).slice(0,9).map(({node:e,text:n},o)=>({keys:[String(o+1)],label:n,run:()=>this.go([...t.taken,
e])})),{keys:["t"],label:"Turn around",run:()=>this.go([...t.taken,t.here])},{keys:["b"],label:"One step back",run:()=>this.go(t.taken.slice(0,-1))},{keys:["h"],
label:"Here: I have arrived",run:()=>this.desk.endWalk(t.taken,!1)},{keys:["v"],label:"Give up",run:()=>this.desk.endWalk(t.taken,!0)}]}go(t){this.desk.walkOn(t)}pickNode(t){
let e=this.desk.sheet?.document?.nodes.ids[t],{stand:n}=this;n&&e!==void 0&&n.choices.some(o=>o.node===e)&&this.go([...n.taken,e])}};function K(s){return[...s.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}_'’&.-]*[\p{L}\p{N}_])?/gu)].map(t=>({start:t.index,end:t.index+t[0].length}))}var G=(s,t)=>[...s.
slice(0,t)].length,Ye=(s,t)=>[...s].slice(0,t).join("").length;function oo(s,t,e){let n=K(s),o=[];for(let i of[...t].sort((r,l)=>r-l)){let{start:r,end:l}=n[i],c=o.
at(-1);c&&!s.slice(c.end,r).trim()?c.end=l:o.push({start:r,end:l})}return o.map(({start:i,end:r})=>{let l=s.slice(i,r),[c,h]=[G(s,i),G(s,r)],d=e.find(p=>p.start===
c&&p.text===l)??e.find(p=>p.text===l);return{start:c,end:h,text:l,poi_id:d?.poi_id??null}})}function io(s,t){let e=c=>c.toLowerCase().match(/[\p{L}\p{N}]+/gu)??
[],n=new Set(e(s)),o=e(t.name),i=e(t.kind??""),r=o.filter(c=>n.has(c)).length,l=i.filter(c=>n.has(c)||n.has(`${c}s`)).length;return 2*r/Math.max(1,o.length)+r+l}var ro=9,pe=class{constructor(t,e){this.desk=t,this.box=e}get mentions(){return this.desk.value?.mentions??[]}get cursor(){let{cursor:t}=this.desk.draft;return typeof t==
"number"?t:0}chosen(){let{text:t}=this.desk.entry;return K(t).flatMap(({start:e,end:n},o)=>{let[i,r]=[G(t,e),G(t,n)];return this.mentions.some(l=>l.start<=i&&r<=
l.end)?[o]:[]})}get active(){let{text:t}=this.desk.entry,e=K(t)[this.cursor];if(!e)return;let n=G(t,e.start);return this.mentions.find(o=>o.start<=n&&n<o.end)}showText(t){
let{text:e}=this.desk.entry,n=new Set(this.chosen()),o=[],i=0;K(e).forEach(({start:r,end:l},c)=>{o.push(e.slice(i,r));let h=a("span",{class:"nv-word",role:"chec\
kbox",text:e.slice(r,l),"aria-checked":n.has(c)?"true":"false","aria-current":c===this.cursor?"true":"false",on:{mousedown:w,click:()=>this.toggle(c)}}),d=this.
linkAt(G(e,r));d&&(h.dataset.ref=d),o.push(h),i=l}),t.replaceChildren(...o,e.slice(i))}linkAt(t){let e=this.mentions.find(o=>o.start<=t&&t<o.end&&o.poi_id),n=e&&
this.places.find(({id:o})=>o===e.poi_id);return n&&n.poi!==null?`p:${n.poi}`:null}show(){let t=this.commands().find(({keys:n})=>n[0]==="n"),e=this.mentions.map(
n=>this.row(n));this.box.replaceChildren(a("p",{class:"nv-desk-hint"},"Mark every word that names a landmark: click it, or ",a("kbd",{text:"←"}),a("kbd",{text:"\
→"})," and ",a("kbd",{text:"Space"}),". Neighbouring words become one mention."),t?k(t,{chosen:this.desk.value!==null&&!this.mentions.length}):"",...e.length?
[a("p",{text:"Which place on the map does each mean?"}),...e]:[])}row(t){let e=t===this.active,n=this.places.find(({id:c})=>c===t.poi_id),o=n?ao(n):"not on the \
map, or unclear",i=a("div",{class:"nv-mention","aria-current":e?"true":"false"},a("b",{text:t.text,title:t.text}),a("span",{class:"nv-mute",text:o,title:o}));if(n?.
poi!==null&&n?.poi!==void 0&&(i.dataset.ref=`p:${n.poi}`),i.addEventListener("click",()=>this.to(t)),!e)return i;let r=this.offers(t).map((c,h)=>k({keys:[String(
h+1)],label:ao(c),run:()=>this.link(t,c.id)},{chosen:c.id===t.poi_id,look:"nv-offer nv-line"}));return a("div",{class:"nv-links"},i,r,k({keys:["0"],label:"Not o\
n the map, or unclear",run:()=>this.link(t,null)},{chosen:!t.poi_id,look:"nv-offer"}))}get places(){return this.desk.sheet?.places??[]}offers(t){let e=this.places.
map(i=>({place:i,score:io(t.text,i)}));e.sort((i,r)=>r.score-i.score);let n=e.slice(0,ro).map(({place:i})=>i),o=this.places.find(({id:i})=>i===t.poi_id);return o&&
!n.includes(o)&&n.splice(ro-1,1,o),n}commands(){let t=o=>()=>{let i=K(this.desk.entry.text).length;this.desk.keep({cursor:Math.max(0,Math.min(i-1,this.cursor+o))})},
{active:e}=this,n=e?this.offers(e):[];return[{keys:["ArrowLeft"],label:"Word before",run:t(-1)},{keys:["ArrowRight"],label:"Word after",run:t(1)},{keys:[" "],label:"\
Mark",run:()=>this.toggle(this.cursor)},{keys:["n"],label:"No landmark in this text",run:()=>this.put([])},...n.map((o,i)=>({keys:[String(i+1)],label:o.name,run:()=>e&&
this.link(e,o.id)})),{keys:["0"],label:"Not on the map",run:()=>e&&this.link(e,null)}]}toggle(t){let e=new Set(this.chosen());e.has(t)?e.delete(t):e.add(t),this.
desk.draft.cursor=t,this.put(oo(this.desk.entry.text,[...e],this.mentions))}to(t){let{text:e}=this.desk.entry,n=K(e).findIndex(({start:o})=>G(e,o)===t.start);n>=
0&&this.desk.keep({cursor:n})}link(t,e){this.put(this.mentions.map(n=>n.start===t.start?{...n,poi_id:e}:n))}pick(t){let e=this.places.find(n=>n.name.toLowerCase()===
t);this.active&&e&&this.link(this.active,e.id)}put(t){this.desk.save({...this.desk.value,mentions:t})}},ao=({name:s,kind:t})=>t&&t!==s?`${s} (${t})`:s;var ia=["Guess","Unsure","Fair","Sure","Certain"],ue=class{constructor(t,e){this.desk=t,this.box=e}show(){let{value:t,draft:e}=this.desk,n=t?.confidence??e.confidence,
[o,i,...r]=this.commands();this.box.replaceChildren(rt("Would the instruction alone lead you along this route to the goal?",[k(o,{chosen:t?.navigable===!0}),k(i,
{chosen:t?.navigable===!1})],"nv-scale"),rt("How sure are you?",r.map((l,c)=>k(l,{chosen:n===c+1})),"nv-scale"))}commands(){return[{keys:["y"],label:"Yes",run:()=>this.
answer(!0)},{keys:["n"],label:"No",run:()=>this.answer(!1)},...ia.map((t,e)=>({keys:[String(e+1)],label:t,run:()=>this.sure(e+1)}))]}answer(t){let{desk:e}=this;
e.save({confidence:e.draft.confidence??null,...e.value,navigable:t})}sure(t){let{desk:e}=this;e.value?e.save({...e.value,confidence:t}):e.keep({confidence:t})}};var fe=class{constructor(t,e){this.desk=t,this.box=e}get steps(){return this.desk.sheet?.steps??[]}get row(){let{row:t}=this.desk.draft;return typeof t=="number"?
Math.min(t,Math.max(0,this.steps.length-1)):Math.max(0,this.steps.findIndex(({index:e})=>!this.judged(e)))}get labels(){return this.desk.value?.labels??[]}judged(t){
return this.labels.find(e=>e.step===t)?.skill}show(){if(!this.steps.length){let n=this.desk.sheet?"No step of this trace has a sub-instruction; skip it.":"";this.
box.replaceChildren(a("p",{class:"nv-desk-hint",text:n}));return}let{skills:t}=this.desk.data,e=this.steps.map((n,o)=>this.line(n,o));this.box.replaceChildren(a(
"p",{text:"Which skill does each sub-instruction ask for? The router's choice is marked."}),a("p",{class:"nv-desk-hint"},...t.map((n,o)=>a("span",{class:"nv-key\
-word"},a("kbd",{text:String(o+1)}),` ${n}`)),a("span",{class:"nv-key-word"},a("kbd",{text:"0"})," not judged"),a("span",{class:"nv-key-word"},a("kbd",{text:"↑"}),
a("kbd",{text:"↓"})," another step")),...e),this.box.querySelector("[aria-current=true]")?.scrollIntoView({block:"nearest"})}line(t,e){let n=this.judged(t.index),
o=this.desk.data.skills.map(i=>a("button",{type:"button",class:`nv-level ${i===t.named?"nv-named":""}`,text:i,title:i===t.named?"The router's choice":void 0,"ar\
ia-pressed":i===n?"true":"false",on:{mousedown:w,click:()=>this.judge(e,i)}}));return a("div",{class:"nv-question","aria-current":e===this.row?"true":"false",data:{
row:t.index}},a("p",{text:`${t.index}. ${t.text}`}),a("div",{class:"nv-levels nv-skills"},o))}commands(){let t=e=>()=>this.to(this.row+e);return[...this.desk.data.
skills.map((e,n)=>({keys:[String(n+1)],label:e,run:()=>this.judge(this.row,e)})),{keys:["0"],label:"Not judged",run:()=>this.judge(this.row,null)},{keys:["Arrow\
Up"],label:"Step above",run:t(-1)},{keys:["ArrowDown"],label:"Step below",run:t(1)}]}to(t){let e=Math.max(0,Math.min(this.steps.length-1,t));this.desk.keep({row:e}),
this.desk.playTo(this.steps[e]?.index??0)}judge(t,e){let n=this.steps[t];if(!n)return;let o=this.labels.filter(r=>r.step!==n.index),i=e===null?[]:[{step:n.index,
named:n.named,skill:e}];this.desk.save({...this.desk.value,labels:[...o,...i].sort((r,l)=>r.step-l.step)}),this.to(t+(e===null?0:1))}};var ra=500,aa=15e3,la=10,ca=1500;function lo(s){let{signal:t}=s.stopped;window.addEventListener("keydown",o=>pa(s,o),{signal:t,capture:!0});for(let o of["pointe\
rdown","pointermove","wheel","keydown"])window.addEventListener(o,()=>s.clock.touch(),{signal:t,capture:!0,passive:!0});document.addEventListener("visibilitycha\
nge",()=>document.hidden&&s.clock.away(),{signal:t}),window.addEventListener("blur",()=>s.clock.away(),{signal:t}),window.addEventListener("pagehide",()=>s.saveComment(),
{signal:t}),window.addEventListener("online",()=>s.outbox.lost(),{signal:t}),s.channel.addEventListener("message",({data:o})=>Qn(s,o),{signal:t}),ha(s);let e=0,
n=setInterval(()=>{e+=1,e%la===0&&s.outbox.adopt(Date.now()-aa),da(s)},ra);t.addEventListener("abort",()=>clearInterval(n))}function ha(s){let{comment:t}=s.view,
e;t.addEventListener("input",()=>{clearTimeout(e),e=setTimeout(()=>s.saveComment(),ca)}),t.addEventListener("blur",()=>s.saveComment()),s.stopped.signal.addEventListener(
"abort",()=>clearTimeout(e))}function da(s){s.outbox.flush(),s.shelf.need(s.at),s.view.showState();let t=C(s.root);t!==s.root.dataset.theme&&(s.root.dataset.theme=
t,s.map?.setTheme())}function pa(s,t){if(t.ctrlKey||t.metaKey||t.altKey||t.isComposing||!s.root.isConnected||!s.root.getClientRects().length)return;let{comment:e}=s.
view;if(t.key==="Escape"&&t.target===e){e.blur();return}if(to(t))return;let n=s.commands().find(({keys:i})=>i.includes(eo(t)));if(!n)return;t.preventDefault(),t.
stopImmediatePropagation(),s.clock.touch();let{activeElement:o}=document;o instanceof HTMLElement&&o!==document.body&&o.blur(),n.run()}var me=class{constructor(t,e,n){this.box=e,this.told=n,this.colors=new W(t),this.doc=null,this.map=null,this.frame="",this.sizes=new ResizeObserver(()=>this.map?.
resize()),this.sizes.observe(e)}show(t){if(t===this.doc)return;if(this.doc=t,this.map&&this.frame===t.frame){this.map.update(t),this.map.showStep(t.steps.length),
this.map.fit(!1);return}this.map?.destroy(),this.box.replaceChildren(),this.frame=t.frame;let e=t.frame==="geo"?tt:Q;this.map=new e(this.box,t,this.api(t)),this.
map.showStep(t.steps.length)}api(t){let e=this;return{get doc(){return e.doc??t},options:{agentWord:"your walk",whole:!0},resolve:n=>this.resolve(n),hover:n=>this.
told.hover(n),pick:n=>this.told.pick(n),mentions:()=>0,color:n=>this.colors.get(n),focus:()=>{}}}resolve(t){let{doc:e}=this;if(!e)return{label:t,nodes:[],at:[]};
if(t.startsWith("n:"))return Dt(e,Number(t.slice(2)));let n=new Set(t.startsWith("p:")?t.slice(2).split(",").map(Number):[]),o=e.pois.filter((i,r)=>n.has(r)||b(
i.name)===t);return{label:o[0]?.name??t.slice(2),nodes:[],at:o.map(i=>i.at)}}light(t){this.map?.highlight(t)}panTo(t){this.map?.panTo(t)}setTheme(){this.map?.setTheme()}destroy(){
this.sizes.disconnect(),this.map?.destroy(),this.map=null}};var ge=class{constructor(t,e,n){this.key=`navviz:at:${t}:${e}`,this.storage=n}last(){return sessionStorage.getItem(this.key)??this.storage.getItem(this.key)}stay(t){
try{sessionStorage.setItem(this.key,t),this.storage.setItem(this.key,t)}catch{}}};var ye=class{constructor(t){this.desk=t,this.beside=null}show(t){let{desk:e}=this;if(this.beside?.at===e.at)return;this.drop();let n=e.view.left.appendChild(document.
createElement("div")),o=z.mount(n,t,{deepLink:!1,header:!1,onStep:()=>e.form.show(),actions:e.data.task==="failure"?[{name:"label",label:"Label this step"}]:[],
onAction:()=>e.commands().find(({keys:r})=>r[0]==="a")?.run()}),i={at:e.at,root:n,player:o,shown:null};this.beside=i,o.then(r=>{i.shown=r,this.beside===i&&e.showItem()})}drop(){
let t=this.beside;this.beside=null,t?.root.remove(),t?.player.then(e=>e.destroy())}get player(){return this.beside?.at===this.desk.at?this.beside.shown:null}get step(){
return Number(this.beside?.root.dataset.step??0)}playTo(t){this.beside?.player.then(e=>e.jump(t))}};var ke=class{constructor(t,e,n=Date.now){this.ask=t,this.count=e,this.now=n,this.turn=0,this.sheets=new Map,this.out=null}get(t){return this.sheets.get(t)}need(t){
if(this.out&&this.now()-this.out.at<1e4)return;let n=Array.from({length:4},(o,i)=>t+i).filter(o=>o<this.count&&!this.sheets.has(o));n.length&&this.request(n[0]===
t?[t]:n,null)}walk(t,e){this.request([t],e)}request(t,e){this.turn+=1,this.here=t[0],this.out=this.ask({positions:t,walk:e,turn:this.turn})?{positions:t,at:this.
now()}:null}take(t){for(let o of t)this.sheets.set(o.position,o);let{out:e}=this;e&&t.some(({position:o})=>e.positions.includes(o))&&(this.out=null);let n=[...this.
sheets.keys()].sort((o,i)=>Math.abs(i-(this.here??0))-Math.abs(o-(this.here??0)));for(let o of n.slice(0,Math.max(0,n.length-24)))this.sheets.delete(o)}};var gt=s=>Gt(s).map(ua);function ua(s){if(s.kind==="list"){let t=s.items.map(e=>a("li",{},co(e)));return s.ordered?a("ol",{start:s.start},t):a("ul",{},t)}return s.
kind==="code"?a("pre",{text:s.text}):a(s.kind==="heading"?"h4":"p",{},co(s.text))}function co(s){let t={strong:"b",emphasis:"em",code:"code"};return qt(s).map(e=>e.
kind==="text"?e.text:a(t[e.kind],{text:e.text}))}var fa=["The text cannot be understood","The map does not show what it speaks of","The route or the data look broken","I know this place","Later, or another rea\
son"],ho={saved:"Saved",saving:"Saving …",kept:"Not saved: kept here, tried again"},ma=430,we=class{constructor(t){this.desk=t,this.guiding=localStorage.getItem(
"navviz:guidelines")!=="off",this.bar=a("progress",{class:"nv-progress",max:1,"aria-label":"Rated"}),this.count=a("span",{class:"nv-count"}),this.state=a("span",
{class:"nv-desk-state",role:"status","aria-live":"polite"}),this.ways=a("div",{class:"nv-ways"}),this.left=a("div",{class:"nv-map nv-desk-left"}),this.caption=a(
"p",{class:"nv-caption"}),this.text=a("div",{class:"nv-desk-text",lang:""}),this.banner=a("div",{class:"nv-banner",hidden:!0}),this.form=a("div",{class:"nv-desk\
-form"}),this.comment=a("textarea",{class:"nv-field",rows:2,placeholder:"Comment","aria-label":"Comment"}),this.after=a("div",{class:"nv-desk-after"}),this.guide=
a("div",{class:"nv-guide nv-prose"}),this.guided=null;let e=a("div",{class:"nv-desk-side"},a("div",{class:"nv-desk-item"},this.caption,this.text),this.banner,this.
form,this.comment,this.after,this.guide);t.root.replaceChildren(a("div",{class:"nv-desk-top"},this.bar,this.count,this.state,a("span",{class:"nv-gap"}),this.ways),
a("div",{class:"nv-desk-main"},this.left,e)),this.side=e,this.text.addEventListener("mouseover",n=>this.onHover(n)),this.text.addEventListener("mouseleave",()=>this.
light([])),this.form.addEventListener("mouseover",n=>this.onHover(n)),this.text.addEventListener("click",n=>{let o=Z(n);o&&this.desk.panTo(o)}),this.stopFilling=
ie(t.root,()=>ma),this.showGuide()}show(){let{desk:t}=this,{entry:e,data:n,at:o}=t;this.bar.value=t.rated/Math.max(1,n.entries.length),this.count.textContent=`${t.
rated} of ${n.entries.length} rated · item ${o+1}`,this.ways.replaceChildren(...this.commands().map(c=>this.way(c)));let i=e.item.dataset?` · ${e.item.dataset}`:
"",r=n.entries.filter(c=>c.training).length,l=e.training?`Training ${o+1} of ${r} · `:"";this.caption.textContent=`${l}Episode ${e.item.episode}${i}${e.skipped?
` · skipped${e.reason?`: ${e.reason}`:""}`:""}`,this.showText(),this.showBanner(),this.showComment(),this.showAfter(),this.showState()}way(t){let{at:e,data:n}=this.
desk,o=t.label==="Back"&&e===0||t.label==="Next"&&e>=n.entries.length-1,i=t.label==="Guidelines"&&this.guiding||t.label==="Skip"&&this.desk.skipping;return k(t,
{disabled:o,chosen:i})}commands(){let{desk:t}=this;return[{keys:["k"],label:"Back",run:()=>t.go(t.at-1)},{keys:["j","Enter"],label:"Next",run:()=>t.go(t.at+1)},
{keys:["s"],label:"Skip",run:()=>this.askWhy(!0)},{keys:["u"],label:"Undo",run:()=>t.undo()},{keys:["c"],label:"Comment",run:()=>this.comment.focus()},{keys:["g"],
label:"Guidelines",run:()=>this.turnGuide()}]}showText(){let{desk:t}=this;if(t.form?.showText){t.form.showText(this.text);return}let{text:e}=t.entry;if(t.player){
this.text.replaceChildren(m(t.player.linker,e));return}let n=[],o=0;for(let i of t.sheet?.marks??[]){let[r,l]=[Ye(e,i.start),Ye(e,i.end)];r<o||(n.push(e.slice(o,
r)),n.push(a("span",{class:"nv-ref",text:e.slice(r,l),data:{ref:`p:${i.pois.join(",")}`}})),o=l)}this.text.replaceChildren(...n,e.slice(o))}onHover(t){let e=Z(t);
this.light(e?[e]:[])}light(t){this.desk.light(t),this.lightText([])}lightText(t){let{sheet:e}=this.desk,n=new Set(t.filter(i=>i.startsWith("s:")).map(i=>i.slice(
2))),o=this.side.querySelectorAll("[data-ref]");for(let i of o){let l=(i.dataset.ref??"").slice(2).split(",").some(c=>n.has(e?.document?.pois[Number(c)]?.name.toLowerCase()??
""));i.classList.toggle("nv-lit",l)}}askWhy(t){this.desk.skipping=t,this.desk.showItem()}reasons(){return[...fa.map((e,n)=>({keys:[String(n+1)],label:e,run:()=>this.
desk.skip(e)})),{keys:["Escape","s"],label:"Do not skip",run:()=>this.askWhy(!1)}]}whySkip(){let t=this.reasons().map(e=>k(e,{look:"nv-offer"}));return rt("Why \
skip it?",t,"nv-column")}conflictCommands(){let{desk:t}=this;return t.conflicts.has(t.at)?[{keys:["l"],label:"Load the other rating",run:()=>t.settle(!1)},{keys:[
"o"],label:"Save mine over it",run:()=>t.settle(!0)}]:[]}showBanner(){let{desk:t}=this,e=t.conflicts.get(t.at),n=[];t.skipping&&n.push(this.whySkip()),e&&n.push(
rt("This item was changed in another window; nothing was overwritten.",this.conflictCommands().map(i=>k(i))));let{feedback:o}=t.entry;if(o&&t.value){let i=o.right?
"As the researchers hold it":"The researchers hold otherwise";n.push(a("p",{class:"nv-feedback",text:`${i}: ${o.answer}.`})),o.comment&&n.push(a("p",{text:o.comment}))}
t.notice&&n.push(a("p",{text:t.notice})),this.banner.replaceChildren(...n),this.banner.hidden=!n.length}showComment(){let{desk:t,comment:e}=this;if(document.activeElement===
e)return;let n=t.draft.comment??t.value?.comment??"";e.value=String(n),e.hidden=t.data.task==="follow"}showAfter(){let{desk:t}=this,e=t.sheet?.history??[],n=t.value?
"":"Not rated yet. Every key is saved at once.";this.after.replaceChildren(n?a("p",{class:"nv-desk-hint",text:n}):"",t.sheet?.note?a("p",{class:"nv-desk-hint",text:t.
sheet.note}):"",e.length?a("details",{class:"nv-history"},a("summary",{text:`History (${e.length})`}),e.map(o=>a("p",{class:"nv-desk-hint",text:o}))):"")}showState(){
let{desk:t}=this,{state:e}=t.outbox,n=t.outbox.waiting.size,o=e==="kept"&&t.outbox.trouble?` (${t.outbox.trouble})`:"",i=e==="saved"?ho.saved:`${ho[e]}${n>1?` ·\
 ${n}`:""}${o}`;this.state.textContent!==i&&(this.state.textContent=i),t.root.dataset.state=e,t.root.dataset.waiting=String(n)}turnGuide(){this.guiding=!this.guiding,
localStorage.setItem("navviz:guidelines",this.guiding?"on":"off"),this.showGuide(),this.show()}showGuide(){let t=this.desk.data.guidelines;this.guide.hidden=!this.
guiding||!t,this.guided!==t&&(this.guided=t,this.guide.replaceChildren(...gt(t)))}destroy(){this.stopFilling()}};var ga={navigability:ue,difficulty:ce,mentions:pe,failure:he,skill:fe,follow:de},xe=class{constructor(t,e,n,o=localStorage){this.root=t,this.data=e,this.line=n,
this.stopped=new AbortController,this.owner=`${e.study}:${e.annotator}`,this.values=e.entries.map(({value:i})=>i),this.drafts=new Map,this.past=[],this.conflicts=
new Map,this.notice="",this.skipping=!1,this.clock=new ae(e.idle_s),this.outbox=new re({owner:this.owner,storage:o,send:(i,r)=>n.post(i,r),onAnswer:(i,r)=>Yn(this,
i,r),onChange:()=>this.view?.showState()}),this.shelf=new ke(i=>n.want(i),e.entries.length),this.places=new ge(this.owner,e.queue,o),this.channel=new BroadcastChannel(
`navviz:${this.owner}`),this.adoptWaiting(),this.at=this.firstItem(),t.classList.add("navviz-desk"),t.dataset.theme=C(t),this.view=new we(this),this.form=new ga[e.
task](this,this.view.form),this.map=this.replays?null:new me(t,this.view.left,this.mapTold()),this.replay=new ye(this),lo(this),this.show(),this.outbox.flush()}get replays(){
return this.data.task==="failure"||this.data.task==="skill"}get entry(){return this.data.entries[this.at]}get value(){return this.values[this.at]}get sheet(){return this.
shelf.get(this.at)}get draft(){let t=this.drafts.get(this.at)??{};return this.drafts.set(this.at,t),t}get rated(){return this.values.filter(t=>t!==null).length}adoptWaiting(){
let t=new Map(this.data.entries.map(({item:e},n)=>[x(e),n]));this.data.entries.forEach(({item:e,revision:n})=>{this.outbox.knows(e,n)});for(let{item:e,kind:n,value:o,
queue:i}of this.outbox.actions){let r=e&&i===this.data.queue?t.get(x(e)):void 0;r!==void 0&&n==="save"&&(this.values[r]=o)}}firstItem(){let t=this.places.last(),
e=this.data.entries.findIndex(({item:o})=>x(o)===t);if(e>=0)return this.trainedFirst(e);let n=this.data.entries.findIndex(({skipped:o},i)=>!o&&this.values[i]===
null);return n>=0?n:this.data.entries.length-1}update(t){let e=x(this.entry.item);this.data=t,this.values=t.entries.map(({value:o})=>o),this.adoptWaiting();let n=t.
entries.findIndex(({item:o})=>x(o)===e);this.at=n>=0?n:Math.min(this.at,t.entries.length-1),this.view.showGuide(),this.show()}save(t){let e=this.draft.comment??
this.value?.comment??"",n={task:this.data.task,...t,comment:e},o=this.value;ya(o,n)||(this.past.push({at:this.at,before:o}),this.put(this.at,n),this.entry.skipped=
!1,this.send({kind:"save",item:this.entry.item,value:n}),this.showItem())}keep(t){Object.assign(this.draft,t),this.showItem()}put(t,e){this.values[t]=e}send(t){
let e=t.item&&t.kind==="save"?this.clock.take(x(t.item)):0;return this.outbox.add({queue:this.data.queue,seconds:e,...t})}saveComment(){let t=this.view.comment.
value;t!==(this.draft.comment??this.value?.comment??"")&&(this.draft.comment=t,this.value&&this.save({...this.value}))}go(t){let e=Math.max(0,Math.min(this.data.
entries.length-1,t));this.saveComment(),this.skipping=!1;let n=this.trainedFirst(e);if(n===this.at)return this.showItem();this.at=n,this.notice="",this.show()}trainedFirst(t){
let e=this.data.entries.findIndex((n,o)=>n.training&&!n.skipped&&!this.values[o]);return e<0||this.data.entries[t].training?t:e}skip(t){this.entry.skipped=!0,this.
entry.reason=t,this.send({kind:"skip",item:this.entry.item,reason:t}),this.go(this.at+1)}undo(){this.saveComment();let t=this.past.pop();t&&(this.put(t.at,t.before),
this.drafts.delete(t.at),this.at=t.at,this.notice=`Undone: episode ${this.entry.item.episode}.`),this.send({kind:"undo",item:t?this.entry.item:null}),this.show()}settle(t){
let e=this.conflicts.get(this.at);if(!e)return;this.conflicts.delete(this.at);let n=this.value;this.drafts.delete(this.at),this.put(this.at,e.value),t&&n?this.save(
n):this.showItem()}walkOn(t){this.shelf.walk(this.at,t)}endWalk(t,e){let n=this.clock.take(x(this.entry.item)),o={task:"follow",gave_up:e,comment:""};this.past.
push({at:this.at,before:this.value}),this.put(this.at,o),this.outbox.add({queue:this.data.queue,kind:"walk",item:this.entry.item,choices:t,gave_up:e,seconds:n}),
this.showItem()}receive(t){this.shelf.take(t),this.root.dataset.shelf=[...this.shelf.sheets.keys()].join(" "),t.some(({position:e})=>e===this.at)&&(this.showItem(),
this.showLeft())}show(){let{item:t}=this.entry;this.places.stay(x(t)),this.clock.turn(x(t)),this.root.dataset.position=String(this.at),this.root.dataset.episode=
t.episode,this.showItem(),this.showLeft(),this.shelf.need(this.at)}showItem(){this.view.show(),this.form.show()}showLeft(){let{sheet:t}=this;this.root.dataset.ready=
String(t!==void 0),this.root.classList.toggle("nv-desk-late",t===void 0),t?.document&&(this.map?.show(t.document),this.replays&&this.replay.show(t.document))}get player(){
return this.replay.player}light(t){this.map?.light(t),this.player?.map.highlight(t)}panTo(t){this.map?.panTo(t),this.player?.map.panTo(t)}get playerStep(){return this.
replay.step}playTo(t){this.replay.playTo(t)}mapTold(){return{hover:t=>this.view.lightText(t),pick:t=>{t.startsWith("n:")?this.form.pickNode?.(Number(t.slice(2))):
this.form.pick?.(t.slice(2))}}}commands(){return this.skipping?this.view.reasons():[...this.view.conflictCommands(),...this.form.commands(),...this.view.commands()]}destroy(){
this.saveComment(),this.stopped.abort(),this.channel.close(),this.replay.drop(),this.map?.destroy(),this.view.destroy(),this.root.replaceChildren()}};function ya(s,t){
let e=n=>JSON.stringify(n&&Object.entries(n).sort());return e(s)===e(t)}function at(s){let t=s instanceof Uint8Array?s:new Uint8Array(s),e=t.indexOf(10);return{digest:new TextDecoder().decode(t.subarray(0,e)),bytes:t.subarray(e+1)}}
function yt(s){return JSON.parse(new TextDecoder().decode(s))}var po=new Map;function Qe(s){let t=po.get(s)??{desk:null,post:null,want:null,digest:""};return po.set(s,t),t}function uo({data:s,parentElement:t}){let{digest:e,
bytes:n}=at(s),o=yt(n),i=Qe(o.desk);if(i.desk&&i.desk.root.parentElement===t)i.digest!==e&&i.desk.update(o);else{i.desk?.destroy();let l=document.createElement(
"div");t.replaceChildren(l),i.desk=new xe(l,o,{post:(c,h)=>i.post?.("actions",{queue:c,actions:h}),want:c=>(i.want?.("ask",c),i.want!==null)})}i.digest=e;let r=i.
desk;return()=>{i.desk===r&&(i.desk=null),r.destroy()}}function fo({data:s,setTriggerValue:t}){let e=Qe(s.desk);e.post=t,e.desk?.outbox.receive(s.answers)}function mo({
data:s,setTriggerValue:t}){let e=yt(at(s).bytes),n=Qe(e.desk);n.want=t,n.desk?.receive(e.sheets)}var ka={start:"Click where the walk starts",goal:"Click the goal",again:"Click to choose a new start"},wa=120,xa=3e3,ba={ArrowUp:[0,-1],ArrowDown:[0,1],ArrowLeft:[
-1,0],ArrowRight:[1,0]},va=.4,be=class s{static mount(t,e,n){return new s(t,e,n)}constructor(t,e,n){this.root=t,this.doc=e,this.options=n,this.colors=new W(t),t.
classList.add("navviz-pick"),this.box=a("div",{class:"nv-pick-map",role:"application","aria-label":"Map: click, or go with the arrow keys and press Enter, to ch\
oose a start and a goal"}),this.tip=a("div",{class:"nv-pick-tip",role:"status"}),this.cursor=null,this.beside=null,this.credit=a("div",{class:"nv-pick-credit"}),
t.append(this.box,this.tip,this.credit);let o=e.frame==="geo"?{crs:L.CRS.EPSG3857,minZoom:11,maxZoom:20}:{crs:L.CRS.Simple,minZoom:-2,maxZoom:8};this.map=L.map(
this.box,{zoomControl:!0,attributionControl:!1,preferCanvas:!0,keyboard:!1,zoomSnap:.25,...o}),this.ground=L.layerGroup().addTo(this.map),this.marks=L.layerGroup().
addTo(this.map),this.map.on("click",i=>{let r=this.nearest(i.containerPoint);r!==null&&this.options.onPick(r)}),this.map.on("mousemove",i=>this.hover(this.nearest(
i.containerPoint))),this.map.on("mouseout",()=>this.hover(this.cursor)),this.box.tabIndex=0,this.box.addEventListener("keydown",i=>this.keyed(i)),this.sized=new ResizeObserver(
()=>this.map.invalidateSize({animate:!1})),this.sized.observe(t),this.show(!0),this.map.setView(e.at[e.around??0]??[0,0],e.frame==="geo"?16:4),(e.frame!=="geo"||
e.ids.length<xa)&&this.map.fitBounds(this.extent())}extent(){let{at:t,rooms:e}=this.doc;return L.latLngBounds([...t,...e.flatMap(n=>n.outline)]).pad(.03)}update(t,e){
let n=this.doc.ids.length===t.ids.length&&this.doc.ids[0]===t.ids[0];n||(this.cursor=this.beside=null),this.doc=t,this.options=e,this.show(!n),!n&&t.frame!=="ge\
o"&&this.map.fitBounds(this.extent(),{animate:!1})}show(t){let e=C(this.root),n=this.root.dataset.theme!==e;this.root.dataset.theme=e,this.root.style.height=`${this.
options.height}px`,(t||n)&&this.drawGround(),this.drawMarks(),this.tip.textContent=this.options.words??ka[this.options.mode],this.credit.textContent=this.doc.attribution??
""}drawGround(){let{doc:t,colors:e}=this;this.ground.clearLayers(),this.box.style.background=e.get("ground");let n=new Map(t.bends),o=t.links.map(([r,l],c)=>[t.
at[r],...n.get(c)??[],t.at[l]]),i={interactive:!1,smoothFactor:0};for(let r of t.rooms)this.drawRoom(r);if(t.frame==="geo")L.polyline(o,{...i,color:e.get("stree\
t-edge"),weight:6}).addTo(this.ground),L.polyline(o,{...i,color:e.get("street"),weight:4}).addTo(this.ground);else{L.polyline(o,{...i,color:e.get("poi"),weight:1,
opacity:.7}).addTo(this.ground);let r={radius:4,stroke:!1,fillColor:e.get("poi"),fillOpacity:1,interactive:!1};for(let l of t.at)L.circleMarker(l,r).addTo(this.
ground)}for(let r of t.stairs)L.circleMarker(t.at[r],{radius:5,color:e.get("poi"),weight:1.5,fillColor:e.get("ground")}).bindTooltip(a("span",{text:"to another \
floor"})).addTo(this.ground);for(let r of t.pois)L.circleMarker(r.at,{radius:3,stroke:!1,fillColor:e.get("poi"),fillOpacity:.9}).bindTooltip(a("span",{text:r.name})).
addTo(this.ground)}drawRoom({name:t,outline:e}){let{colors:n}=this,o=L.polygon(e,{color:n.get("poi"),weight:1.5,fillColor:n.get("street"),fillOpacity:.35,interactive:!1}).
addTo(this.ground);if(!t)return;let i=o.getBounds(),r=a("span",{class:"nv-pick-room",text:t}),l=L.divIcon({html:r,className:"nv-pick-name",iconSize:[0,0]});L.marker(
[i.getNorth(),i.getCenter().lng],{icon:l,interactive:!1,keyboard:!1}).addTo(this.ground)}drawMarks(){let{doc:t,colors:e}=this;this.marks.clearLayers(),this.hover(
this.cursor),t.route.length&&L.polyline(t.route,{color:e.get("reference"),weight:5,dashArray:"9 7",interactive:!1}).addTo(this.marks),this.mark(t.start,"Start",
{color:e.get("ink"),weight:3,fillColor:e.get("ground"),fillOpacity:1});let n={color:e.get("reference"),weight:4,fillColor:e.get("reference"),fillOpacity:.5};this.
mark(t.goal,t.several?"1":"Goal",n);for(let[o,i]of t.more)this.mark(i,String(o),n)}mark(t,e,n){if(t===null)return;L.circleMarker(this.doc.at[t],{...n,radius:8,interactive:!1}).
bindTooltip(e,{permanent:!0,direction:"right"}).addTo(this.marks)}keyed(t){let e=ba[t.key],n=t.key==="Enter"||t.key===" ";if(!(t.ctrlKey||t.metaKey||t.altKey)){
if(e)this.go(e);else if(n&&this.cursor!==null)this.options.onPick(this.cursor);else return;t.preventDefault(),t.stopPropagation()}}go(t){let{doc:e,map:n}=this,o=e.
more.at(-1)?.[1]??e.goal??e.start??e.around??0,i=this.cursor??o;if(this.cursor!==null){let r=this.towards(i,t,this.links().get(i)??[]);this.cursor=r??this.towards(
i,t,e.at.keys())??i}else this.cursor=o;this.hover(this.cursor),e.at[this.cursor]&&n.panInside(e.at[this.cursor],{padding:[60,60],animate:!1})}towards(t,[e,n],o){
let i=this.map.latLngToContainerPoint(this.doc.at[t]),r=null,l=Number.POSITIVE_INFINITY;for(let c of o){let h=this.map.latLngToContainerPoint(this.doc.at[c]),d=h.
distanceTo(i),p=d?((h.x-i.x)*e+(h.y-i.y)*n)/d:0;if(p<va)continue;let u=Array.isArray(o)?-p:d/p;u<l&&(l=u,r=c)}return r}links(){if(this.beside)return this.beside;
let t=new Map,e=(n,o)=>t.set(n,[...t.get(n)??[],o]);for(let[n,o]of this.doc.links)e(n,o),e(o,n);return this.beside=t,t}nearest(t){let e=null,n=wa;return this.doc.
at.forEach((o,i)=>{let r=this.map.latLngToContainerPoint(o).distanceTo(t);r<n&&(n=r,e=i)}),e}hover(t){this.lit?.remove(),this.lit=t===null?null:L.circleMarker(this.
doc.at[t],{radius:7,color:this.colors.get("lit"),weight:3,fill:!1,interactive:!1}).addTo(this.map)}destroy(){this.sized.disconnect(),this.map.eachLayer(t=>{let e=t;
e._redrawRequest&&(L.Util.cancelAnimFrame(e._redrawRequest),e._redrawRequest=null)}),this.map.remove(),this.root.replaceChildren()}};var ts=new WeakMap;function go({data:s,parentElement:t,setTriggerValue:e}){let n={...s.options,onPick:r=>e("picked",r)},o=ts.get(t);if(o)o.update(s.document,n);else{
let r=document.createElement("div");t.append(r),o=be.mount(r,s.document,n),ts.set(t,o)}let i=o;return()=>{ts.delete(t),i.destroy()}}function yo({data:s}){let t=location.
protocol==="https:"?"; Secure":"";document.cookie=`${s.name}=${s.value}; Path=/; Max-Age=${s.max_age_s}; SameSite=Strict${t}`}function ko({data:s,parentElement:t}){
let e=document.createElement("div");e.className="nv-guide nv-prose";let n=document.createElement("div");n.className="navviz-desk navviz-guidelines",n.append(e),
t.replaceChildren(n),n.dataset.theme=C(n),e.replaceChildren(...gt(s.text));let o=i=>{let r=i.target;r instanceof HTMLTextAreaElement&&r.matches(s.listensTo)&&e.
replaceChildren(...gt(r.value))};return document.addEventListener("input",o),()=>document.removeEventListener("input",o)}var Sa=300,ve=new WeakMap,lt=null;async function wo({data:s,parentElement:t,setTriggerValue:e}){let{digest:n,bytes:o}=at(s),i=ve.get(t);if(i&&(i.send=e),i?.digest===
n)return i.destroy;let r=yt(o);if(i){if(i.digest=n,i.listensTo=r.options.listensTo,i.shows===r.options.shows){let c=await i.player;i.digest===n&&await c.update(
r.document)}else i.shows=r.options.shows,i.player=$a(i,r),await i.player;return i.digest===n&&(i.root.dataset.digest=n),i.destroy}let l=Ta(t,n,e,r);return ve.set(
t,l),await l.player,l.destroy}function xo({data:s}){let t=at(s);return lt?.digest!==t.digest&&(lt=t),()=>{}}async function Ma(){return lt&&(lt.entries??=Un(lt.bytes)),
await lt?.entries??[]}function Ta(s,t,e,n){let o=document.createElement("div");s.append(o);let i={digest:t,send:e,shows:n.options.shows,listensTo:n.options.listensTo,
root:o,player:z.mount(o,n.document,bo(n.options,()=>i)),destroy:()=>{ve.delete(s),r(),i.player.then(l=>{l.destroy(),o.remove()})}},r=La(i);return i}function La(s){
let t,e=n=>{let o=n.target;!s.listensTo||!(o instanceof HTMLTextAreaElement)||!o.matches(s.listensTo)||(clearTimeout(t),t=setTimeout(()=>s.send("typed",{text:o.
value}),Sa))};return document.addEventListener("input",e),()=>{clearTimeout(t),document.removeEventListener("input",e)}}function bo(s,t){return{...s,onAction:(e,n,o)=>t().
send("action",{name:e,step:n,episode:o??null}),runIndex:s.episodes?Ma:void 0}}async function $a(s,{document:t,options:e}){let[n,o]=await Promise.all([s.player,mt(
t.strings)]);return s.shows!==e.shows||!ve.has(s.root.parentElement)?n:(n.destroy(),new z(s.root,t,bo(e,()=>s),o))}globalThis.NavVizPlayer=z;globalThis.NavVizStreamlit=es;window.dispatchEvent(new Event("navviz-code"));})();
