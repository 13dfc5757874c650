/* Built from assets/player/src by `npm run build`; do not edit. */
"use strict";(()=>{var Tl=Object.defineProperty;var El=(n,t)=>{for(var e in t)Tl(n,e,{get:t[e],enumerable:!0})};var $l=new Set(["class","text","on","data","style"]);function l(n,t={},...e){let s=document.createElement(n);t.class&&(s.className=t.class),t.text!==void 0&&t.text!==
null&&(s.textContent=String(t.text));for(let[o,i]of Object.entries(t.on??{}))s.addEventListener(o,i);for(let[o,i]of Object.entries(t.data??{}))s.dataset[o]=String(
i);for(let[o,i]of Object.entries(t.style??{}))s.style.setProperty(o,i);for(let[o,i]of Object.entries(t))$l.has(o)||i===void 0||i===null||i===!1||s.setAttribute(
o,i===!0?"":String(i));for(let o of e.flat())o!=null&&o!==!1&&s.append(o);return s}var Ll="http://www.w3.org/2000/svg";function y(n,t={},...e){let s=document.createElementNS(
Ll,n);for(let[o,i]of Object.entries(t))s.setAttribute(o,String(i));return s.append(...e),s}var w=n=>n.preventDefault();function ie(n,t,e,s,o){let i=l("details",
n,t,e);return i.open=s,t.addEventListener("click",()=>o(!i.open)),i}var Al={first:"M6 5v14M19 5 9 12l10 7z",previous:"M17 5 7 12l10 7z",play:"M7 4l13 8-13 8z",pause:"\
M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",next:"M7 5l10 7-10 7z",last:"M18 5v14M5 5l10 7-10 7z",keys:"M12 17h.01M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.1",present:"\
M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",search:"M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",copy:"M9 9h11v11H9zM5 15H4V4h11v1",closer:"M12 5\
v14M5 12h14",farther:"M5 12h14",whole:"M4 9V5a1 1 0 0 1 1-1h4M20 9V5a1 1 0 0 0-1-1h-4M4 15v4a1 1 0 0 0 1 1h4M20 15v4a1 1 0 0 1-1 1h-4",close:"M12 3v3M12 18v3M3 \
12h3M18 12h3M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",tiles:"M9 4 3.5 6.5v13L9 17l6 3 5.5-2.5v-13L15 7 9 4zM9 4v13M15 7v13",layers:"M12 4 3 9l9 5 9-5zM4 13l8 4.5L20 1\
3",plan:"M4 4h16v16H4zM4 11h7V4M11 20v-5h9",both:"M3 5h18v14H3zM12 5v14",scene:"M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5"},Ol=new Set(["fi\
rst","previous","play","pause","next","last"]);function re(n){let t=Ol.has(n)?"nv-icon nv-filled":"nv-icon";return y("svg",{viewBox:"0 0 24 24",class:t,"aria-hi\
dden":"true"},y("path",{d:Al[n]}))}function _(n,t,e,s={}){return l("button",{...{type:"button",class:"nv-button",title:t,"aria-label":t,data:s},on:{mousedown:w,
click:e}},re(n))}function mt(n){let t=n.target instanceof Element?n.target.closest("[data-ref]"):null;return t instanceof HTMLElement||t instanceof SVGElement?t.
dataset.ref??null:null}function Z(n){try{return JSON.parse(localStorage.getItem(`navviz.${n}`)??"null")}catch{return null}}function X(n,t){try{localStorage.setItem(`navviz.${n}`,JSON.
stringify(t))}catch{}}function $(n,t=0){return n==null?"–":n.toLocaleString("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})}function gt(n){return n==null?"–":`$${$(n,n<
.1?4:2)}`}function ae(n){if(n==null)return"–";if(n<90)return`${$(n,1)} s`;let t=Math.round(n);return`${Math.floor(t/60)} min ${t%60} s`}function k(n,t=1){return n==
null?"–":`${$(n,t)} m`}var ct=n=>String(Math.round(n*1e3)/1e3),q=(n,t,e)=>`${$(n)} ${n===1?t:e}`,yt=n=>n.charAt(0).toUpperCase()+n.slice(1),le=n=>n.length>12?
`${n.slice(0,6)}…`:n;var io=(n,t)=>Math.atan2(t[0]-n[0],t[1]-n[1])*180/Math.PI,ce=n=>((n+180)%360+360)%360-180;function Ys(n,t,e){let s=t*Math.PI/180;return[n[0]+e*Math.sin(s),n[1]+
e*Math.cos(s)]}var ro=(n,t=8)=>Math.floor((n%360+360)%360*t/360+.5)%t;var Js=4,Y=n=>`stage-${n%Js+1}`;function de(n,t){return n.findIndex(({first:e,last:s})=>e!==void 0&&s!==void 0&&t>=e&&t<=s)}function ao(n,t,e,s){let o=[0,...n.flatMap(
({first:i})=>i===void 0?[]:[i]),e];return s>0?o.find(i=>i>t):o.findLast(i=>i<t)}var _l={left:"turns left",right:"turns right",zigzag:"walks in zigzag"};function lo(n){
return n==="move_forward"?"forward":n==="zigzag"?"zigzag":n.includes("left")?"left":"right"}function Cl({stages:n,episode:t,steps:e}){let s=n.filter(({first:a})=>a!==
void 0),o=new Set(t.step_tasks.flatMap(({segments:a})=>a.map(([,,c])=>lo(c)))),i=Object.entries(_l).filter(([a])=>o.has(a));return[[s.length>0,"band","part of t\
he task"],[s.some(({oracle:a})=>a!==void 0),"oracle","first near enough to its target"],[s.some(({state:a,stops:c})=>c&&a==="reached"),"good","stops near enough"],
[s.some(({state:a,stops:c})=>c&&a!=="reached"),"missed","stops too far away"],[e.some(a=>a.to_target_m!==void 0),"curve","distance to the target"],[e.some(a=>a.
to_target_m!==void 0),"radius",`near enough: ${k(t.success_radius_m)}`],[t.step_tasks.length>0,"steptask","instruction for a part of the way"],...i.map(([a,c])=>[
!0,`turn-${a}`,c])].filter(([a])=>a).map(([,a,c])=>[a,c])}var he=class{constructor(t,e){this.line=t,this.bands=l("div",{class:"nv-bands"}),this.second=l("div",{
class:"nv-second"}),e.before(this.bands),this.key=l("div",{class:"nv-line-key","aria-label":"Marks of the time line"}),e.after(this.second,this.key),this.bandNodes=
[]}get doc(){return this.line.doc}build(){let{stages:t,episode:e}=this.doc,s=t.filter(({first:i})=>i!==void 0);this.bands.hidden=s.length===0,this.second.hidden=
e.step_tasks.length===0,this.bandNodes=t.map((i,r)=>this.band(i,r)),this.bands.replaceChildren(...this.bandNodes,...t.flatMap((i,r)=>this.marks(i,r))),this.second.
replaceChildren(...e.step_tasks.map(i=>this.stepTask(i)));let o=s.length||e.step_tasks.length?Cl(this.doc):[];this.key.hidden=!o.length,this.key.replaceChildren(
...o.map(([i,r])=>l("span",{},l("i",{class:`nv-line-${i}`}),r)))}place(t,e){let s=this.line.left(t);return{left:`${s}%`,width:`${this.line.left(e+1)-s}%`}}band({
first:t,last:e,status:s},o){if(t===void 0||e===void 0)return l("div",{class:"nv-band",style:{display:"none"}});let i=this.doc.episode.tasks[o],r=i?.target??i?.description??
"",a={...this.place(t,e),"--nv-stage":`var(--nv-${Y(o)})`},c={click:()=>this.line.player.toStage(o)},h=`Part ${o+1}: ${i?.description??""} · ${s}`;return l("di\
v",{class:"nv-band",data:{stage:o+1},title:h,style:a,on:c},l("span",{text:`${o+1}  ${r}`}))}marks({state:t,status:e,stops:s,last:o,oracle:i},r){let a=[];if(i!==
void 0){let c=`Step ${i}: first within reach of target ${r+1}`;a.push(l("div",{class:"nv-oracle",title:c,style:{left:`${this.line.middle(i)}%`}}))}if(s&&o!==void 0){
let c=t==="reached",h=`nv-flagpole ${c?"nv-good":"nv-missed"}`,d=`Step ${o}: stops for target ${r+1}: ${e}`,u={flag:c?"good":"bad",step:o};a.push(l("div",{class:h,
title:d,data:u,style:{left:`${this.line.middle(o)}%`}}))}return a}stepTask({first:t,last:e,instruction:s,segments:o}){let i=o.map(([c,h,d])=>{let u=e+1-t,p={left:`${100*
(c-t)/u}%`,width:`${100*(h+1-c)/u}%`};return l("div",{class:"nv-stretch-part",data:{part:lo(d)},title:`Steps ${c}–${h}: ${d}`,style:p})}),r=`Step task, steps ${t}\
–${e}: ${s}`,a={click:()=>this.line.player.jump(t)};return l("div",{class:"nv-steptask",title:r,style:this.place(t,e),on:a},i,l("span",{text:s}))}show(t){this.
doc.stages.forEach(({first:e,last:s},o)=>{let i=e!==void 0&&s!==void 0&&t>=e&&t<=s;this.bandNodes[o].classList.toggle("nv-now",i)})}};function U(n,t,{text:e="",title:s="",ref:o,pane:i="nv-signs",raise:r=0}={}){let a=l("div",{class:`nv-sign ${t}`,title:s,data:o?{ref:o}:{}},l("span",{text:e})),c=L.
divIcon({html:a,className:"nv-sign-icon",iconSize:[22,22]});return L.marker(n,{icon:c,pane:i,keyboard:!1,interactive:!1,zIndexOffset:r})}var ue=class{constructor(){
let t=y("svg",{viewBox:"-16 -16 32 32"},y("circle",{r:13}),y("path",{d:"M0-9 6.5 8 0 4.6-6.5 8z"}));this.arrow=l("div",{class:"nv-agent"}),this.pointed=0,this.arrow.
append(t);let e=L.divIcon({html:this.arrow,className:"nv-agent-icon",iconSize:[30,30]});this.marker=L.marker([0,0],{icon:e,pane:"markerPane",interactive:!1,keyboard:!1,
zIndexOffset:900})}place(t,e,s,o){if(!e){this.marker.remove();return}this.marker.setLatLng(e).addTo(t),this.arrow.classList.toggle("nv-no-heading",s===void 0),this.
arrow.classList.toggle("nv-elsewhere",o),this.pointed+=ce((s??0)-this.pointed),this.arrow.style.setProperty("--nv-heading",`${this.pointed}deg`)}remove(){this.marker.
remove()}};function co(n){let{episode:t}=n.doc,e=Qs(n,n.start,"nv-sign-start","Start",-200);t.tasks.length||Qs(n,n.goal,"nv-sign-goal","Goal",-100),t.tasks.forEach((o,i)=>{
let r=n.mainGoal(o);r!==void 0&&Il(n,r,i,o)});let s=n.doc.end?n.walked.at(-1):void 0;return{start:e,stop:Qs(n,s,"nv-sign-stop","Stop",0),stopNode:s}}function Qs(n,t,e,s,o){
let i=n.spotAt(t);return i&&n.here(t)?n.add(U(i,e,{ref:s,pane:"markerPane",raise:o}),"ends"):null}function Il(n,t,e,s){let o=n.spotAt(t);if(!o||!n.here(t))return;
let i=`Target ${e+1}: ${s.target??s.description}`,r=`nv-sign-target nv-sign-target-${e%Js+1}`;n.add(U(o,r,{text:String(e+1),title:i,pane:"markerPane",raise:-50}),
"ends").getElement()?.setAttribute("data-target",String(e+1))}function ho(n){let t=n.step<n.doc.steps.length;n.ends.stop?.getElement()?.classList.toggle("nv-lat\
er",t),n.ends.stop?.setZIndexOffset(t?-100:950),n.ends.start?.getElement()?.classList.toggle("nv-under",n.standing===n.start)}function pe(n){let{episode:t,steps:e}=n.
doc,s=[[n.start,"Start","nv-tag-end"],[t.tasks.length?void 0:n.goal,"Goal","nv-tag-goal"]];for(let o of t.tasks)s.push([n.mainGoal(o),o.target??"Target","nv-tag\
-goal"]);return n.step===e.length&&s.push([n.ends.stopNode,"Stop","nv-tag-stop"]),s.flatMap(([o,i,r])=>{let a=n.spotAt(o),c=o===n.standing?20:13;return a&&n.here(
o)?[{spot:a,text:i,look:r,gap:c,weight:650,size:.93,must:!0}]:[]})}function uo(n){let t=n.spotAt(n.standing);return n.seen().filter(e=>n.placeHere(e.at)).map(e=>{
let s=n.spot(e.at),o=t!==null&&s[1]<t[1];return{spot:s,text:e.name,look:"nv-tag-seen",gap:13,weight:700,size:13/14,left:o}})}function fo(n){let t=Nl(n);t||Pl(n);let e=t?[]:n.house.rooms.length?Rl(n):Bl(n);return zl(n),Hl(n),Fl(n),e}function Nl(n){let t=n.house.pictures.find(({floor:c})=>c===
n.floor);if(n.plan.dataset.picture=t?.source??"",!t)return!1;let[e,s,o,i]=t.box_m,r=[[s,e],[i,o]],a={pane:"tilePane",interactive:!1,className:"nv-floor-picture"};
return n.add(L.imageOverlay(t.url,r,a),"ground"),!0}function Pl(n){let{color:t}=n.api;for(let{floor:e,outline_m:s}of n.house.outlines){if(e!==n.floor)continue;let o=s.
map(([r,a])=>[a,r]),i={color:t("mute"),weight:1,opacity:.6,dashArray:"2 3",fillColor:t("paper"),fillOpacity:.8};n.add(L.polygon(o,n.on("ground",i)),"ground")}}function Rl(n){
let{color:t}=n.api,e=[],s=n.house.rooms.filter(o=>o.floor===n.floor);for(let o of s){let i=n.on("ground",{color:t("mute"),weight:1.5,fillColor:t("paper"),fillOpacity:1,
lineJoin:"miter"});e.push({layer:n.add(L.polygon(Dl(o).map(([r,a])=>[a,r]),i),"ground"),width_m:.1,least:1.5})}for(let{at_m:[o,i]}of n.house.doors.filter(r=>r.floor===
n.floor)){let r=s.some(({box_m:[d,,u]})=>Math.abs(d-o)<.01||Math.abs(u-o)<.01),[a,c]=r?[0,.45]:[.45,0],h=n.on("ground",{color:t("paper"),lineCap:"butt"});e.push(
{layer:n.add(L.polyline([[i-c,o-a],[i+c,o+a]],h),"ground"),width_m:.16,least:3})}return e}function Dl({outline_m:n,box_m:[t,e,s,o]}){return n??[[t,e],[s,e],[s,o],
[t,o]]}function Bl(n){let{links:t}=n.doc,e=[];for(let r=0;r<t.length;r+=2)n.here(t[r])&&n.here(t[r+1])&&e.push(n.way([t[r],t[r+1]]));let s=n.api.color("street"),
o=n.on("ground",{stroke:!1,fillColor:s,fillOpacity:1});for(let r of mo(n))n.add(L.circle(n.spotOf(r),{...o,radius:1.7/2}),"ground");return e.length?[{layer:n.add(
L.polyline(e,n.on("ground",{color:s,smoothFactor:0})),"ground"),width_m:1.7,least:4}]:[]}var mo=n=>n.doc.nodes.ids.map((t,e)=>e).filter(t=>n.here(t));function zl(n){
let{links:t}=n.doc,e=n.api.color("node"),s=[],o=[];for(let i=0;i<t.length;i+=2){let[r,a]=[t[i],t[i+1]];n.here(r)&&n.here(a)?s.push(n.way([r,a])):n.here(r)?o.push(
po(n,r,a)):n.here(a)&&o.push(po(n,a,r))}n.add(L.polyline(s,n.on("ground",{color:e,weight:1.1})),"ground"),n.ways=o}function po(n,t,e){let{color:s}=n.api,[o,i]=[
n.metresOf(t),n.metresOf(e)],r=Math.hypot(i[0]-o[0],i[1]-o[1])||1,[a,c]=[(i[0]-o[0])/r,(i[1]-o[1])/r],h=[];for(let d=.28;d<r;d+=.28){let[u,p]=[o[0]+a*d,o[1]+c*d];
h.push([[p+a*.32,u-c*.32],[p-a*.32,u+c*.32]])}return n.add(L.polyline([n.line([t,e])],n.on("ground",{color:s("node"),weight:1.1,dashArray:"3 3"})),"ground"),n.add(
L.polyline(h,n.on("ground",{color:s("mute"),weight:1.4,lineCap:"butt"})),"ground"),{spot:n.spotOf(e),up:i[2]>o[2],floor:n.floorOf(e)??0}}function Hl(n){let{color:t}=n.
api,e=n.on("ground",{radius:2.6,stroke:!1,fillColor:t("poi"),fillOpacity:1}),s=n.on("ground",{radius:3,color:t("poi"),weight:1.5,fillColor:t("ground"),fillOpacity:1});
for(let o of mo(n))n.add(L.circleMarker(n.spotOf(o),n.stairs.has(o)?s:e),"ground")}function Fl(n){if(!n.layers.shows("pois"))return;let t=n.on("ground",{radius:1.9,
stroke:!1,fillColor:n.api.color("mute"),fillOpacity:.7});for(let e of n.doc.pois)n.placeHere(e.at)&&n.add(L.circleMarker(n.spot(e.at),t),"ground")}var fe=3;function go(n){return!!n.observation?.format.startsWith("panorama")||n.panels.some(t=>t.kind==="directions")}function yo(n){let t=n.panels.find(s=>s.kind===
"directions")?.data.directions;return(Array.isArray(t)?t.filter(s=>s?.range_deg):[]).length||8}function wo(n,t,e,s){let{color:o}=n.api,i=n.metresOf(t),r=360/s,a=ro(
e,s),c=(u,p)=>n.spot(Ys(i,u,p)),h=Array.from({length:10},(u,p)=>c(a*r+r*(p/9-.5),fe));n.add(L.polygon([n.spotOf(t),...h],n.on("walk",{stroke:!1,fillColor:o("see\
n"),fillOpacity:.2})),"step"),n.add(L.circle(n.spotOf(t),{...n.on("walk",{color:o("seen-ink"),weight:1,dashArray:"2 4",fill:!1}),radius:fe}),"step");let d=Array.
from({length:s},(u,p)=>[c((p+.5)*r,.55*fe),c((p+.5)*r,fe)]);n.add(L.polyline(d,n.on("walk",{color:o("seen-ink"),weight:1,opacity:.5})),"step")}function ko(n,t,e){
let s=typeof t.node=="number"?n.metresOf(t.node):null;return(t.observation?.pois??[]).flatMap(o=>{let i=/^(left|right) ([\d.]+)/.exec(o.direction??"");if(i&&e!==
void 0&&s&&o.distance_m!==void 0){let r=e+(i[1]==="left"?-1:1)*Number(i[2]);return[{...o,at:[...Ys(s,r,o.distance_m),s[2]]}]}return o.at&&!o.approximate?[{...o,
at:o.at}]:[]})}var jl=14,Wl=22;function bo(n){let t=n.spotAt(n.standing),e=n.floorOf(n.standing);if(!t||e===null||e===n.floor)return[];let s=`agent: ${n.house.floors[e].name}`;
return[{spot:t,text:s,look:"nv-tag-stop",gap:14,weight:650,must:!0}]}function xo(n){return n.house.rooms.filter(t=>t.floor===n.floor&&t.name).map(({name:t,box_m:[
e,s,o,i]})=>({spot:[(s+i)/2,(e+o)/2],text:t,look:"nv-tag-room",weight:650,centred:!0,within:[[i,e],[s,o]]}))}function vo(n){let t=n.doc.steps[n.step-1];return!t||
n.scale<jl||!n.layers.shows("candidates")?[]:n.candidates(t).flatMap(e=>{let s=n.spotAt(e.node),o=tn(n,e);return s&&o&&n.here(e.node)?[{spot:s,text:o,look:`nv-t\
ag-${e.state}`,gap:10,weight:600}]:[]})}function So(n){return n.ways.map(({spot:t,up:e,floor:s})=>({spot:t,text:`${e?"↑":"↓"} ${n.house.floors[s].name}`,look:"\
nv-tag-name",weight:600,gap:6}))}function*Mo(n){if(!(n.scale<Wl||!n.layers.shows("pois")))for(let t of n.doc.pois){if(!n.placeHere(t.at))continue;let e=ql(n,t.at);
yield{spot:n.spot(t.at),text:t.name,look:"nv-tag-name",gap:5,within:e}}}function ql(n,[t,e]){let s=n.house.rooms.find(({floor:c,box_m:[h,d,u,p]})=>c===n.floor&&
t>=h&&t<=u&&e>=d&&e<=p);if(!s)return;let[o,i,r,a]=s.box_m;return[[a,o],[i,r]]}function tn(n,t){let{angle_deg:e,distance_m:s}=t;return[e===void 0?null:Math.abs(e)<
.5?"ahead":`${e<0?"left":"right"} ${Math.abs(e).toFixed(0)}°`,s===void 0?null:k(s),typeof t.node=="number"&&!n.here(t.node)?"other floor":null].filter(Boolean).
join(", ")}var Ul=2;function To(n){return[n.episode.start,...n.steps.map(({node:e})=>e),n.end?.node].map(e=>Eo(n,e))}function Eo(n,t){return typeof t=="number"?n.nodes.at[3*
t+2]??null:null}function en(n){if(n.frame!=="metric"||!n.free||(n.indoor?.floors.length??0)>1)return!1;let{low:t,high:e}=$o(To(n));return e-t>=Ul}function $o(n){
let t=n.filter(e=>e!==null);return{low:Math.min(...t),high:Math.max(...t)}}var me=class{constructor(t,e){this.container=t,this.line=y("path",{class:"nv-heights-\
line"}),this.goal=y("path",{class:"nv-heights-goal"}),this.mark=l("i",{class:"nv-heights-mark"}),this.now=l("strong"),this.most=l("span",{class:"nv-heights-most"}),
this.least=l("span",{class:"nv-heights-least"});let s=y("svg",{viewBox:"0 0 1 1",preserveAspectRatio:"none","aria-hidden":"true"});s.append(this.goal,this.line);
let o=l("div",{class:"nv-heights-plot"},s,this.mark,this.most,this.least),i=l("div",{class:"nv-heights-now"},"Height",this.now);this.box=l("div",{class:"nv-heig\
hts",role:"img"},i,o),t.append(this.box),this.update(e)}update(t){if(this.doc=t,this.heights=To(t),this.box.hidden=!en(t),this.container.classList.toggle("nv-wi\
th-heights",!this.box.hidden),this.box.hidden)return;let e=Eo(t,t.episode.goal),{low:s,high:o}=$o([...this.heights,e]);this.low=s,this.rise=o-s,this.line.setAttribute(
"d",this.path()),this.goal.setAttribute("d",e===null?"":`M0 ${this.y(e)}H1`),this.most.textContent=k(o),this.least.textContent=k(s);let i=`Height along the step\
s, from ${k(s)} to ${k(o)}`;this.box.setAttribute("aria-label",e===null?i:`${i}; the goal at ${k(e)}`)}path(){let t="M";return(this.heights??[]).map((e,s)=>{if(e===
null)return t="M","";let o=`${t}${this.x(s)} ${this.y(e)}`;return t="L",o}).join("")}x(t){return t/Math.max(1,(this.heights?.length??2)-1)}y(t){return 1-(t-(this.
low??0))/(this.rise||1)}showStep(t){if(this.box.hidden)return;let e=this.heights?.[t]??null;this.now.textContent=k(e),this.mark.hidden=e===null,e!==null&&(this.
mark.style.left=`${100*this.x(t)}%`,this.mark.style.top=`${100*this.y(e)}%`)}};function H(n,t,e){let s=n[t];if(s.path.length)return s.path;if(s.node===void 0)return[];let o=t+1<n.length?n[t+1].node:e;return o===void 0||o===s.node?[s.node]:
[s.node,o]}function J(n,t,e,s){let o=[],i=[],r=e>0?H(n,e-1,t).at(-1):void 0;for(let a=e;a<s;a+=1){let c=new Set(n[a].jumps);H(n,a,t).forEach((h,d)=>{let u=h===r,
p=o.at(-1);(d>0?!c.has(d-1):u)&&p?u||p.push(h):(r!==void 0&&!u&&i.push([r,h]),o.push([h])),r=h})}return{lines:o.filter(a=>a.length>1),leaps:i}}function Nt(n){let t=new Map,
e=(s,o)=>{let i=t.get(s);i?i.add(o):t.set(s,new Set([o]))};for(let s=0;s<n.length;s+=2)e(n[s],n[s+1]),e(n[s+1],n[s]);return t}function Lo(n,t,e){let s=new Set(t),
o=new Map,i=new Map;for(let r of n)r.state!=="rejected"?o.set(r,r.state):s.has(r.node)?o.set(r,"way"):i.set(r.node,r),o.has(r)||o.set(r,"branch");for(let r of Gl(
[...i.keys()],e)){let a=r.filter(h=>Ao(h,e).some(d=>s.has(d))),c=new Set(a.length?a:r.slice(0,1));for(let h of r){let d=i.get(h);d&&!c.has(h)&&o.set(d,"beyond")}}
return o}var Ao=(n,t)=>typeof n=="number"?[...t.get(n)??[]]:[];function Gl(n,t){let e=new Set(n),s=[];for(let o of n){if(!e.delete(o))continue;let i=[o];for(let r of i)
for(let a of Ao(r,t))e.delete(a)&&i.push(a);s.push(i)}return s}var sn="butt";function Oo(n){let{color:t}=n.api,{doc:e}=n;if(n.layers.shows("reference")){let o={color:t("reference"),weight:8,opacity:.95,dashArray:"9 7",lineCap:sn};
n.drawWay([e.reference],o,"paths","walk")}let s=n.spotAt(n.goal);if(Kl(n),s&&n.here(n.goal)&&!e.episode.tasks.length){let o={color:t("reference"),weight:1.6,opacity:.9,
dashArray:"3 4",fillOpacity:.09};n.add(L.circle(s,{...n.on("walk",o),radius:e.episode.success_radius_m}),"paths")}if(n.layers.shows("other")){e.compare&&Vl(n,e.
compare);for(let o of e.further??[])Xl(n,o)}}function Kl(n){let{episode:t,stages:e}=n.doc;t.tasks.forEach((s,o)=>{let i=n.api.color(e.length?Y(o):"reference"),r=n.
mainGoal(s);for(let a of s.goals){let c=n.spotAt(a);if(!c||!n.here(a))continue;let h={color:i,weight:1.8,dashArray:"4 3",fillColor:i,fillOpacity:.06,stroke:a===
r};n.add(L.circle(c,{...n.on("walk",h),radius:t.success_radius_m}),"paths")}})}function Vl(n,t){let{lines:e}=J(t.steps,t.end,0,t.steps.length),s={color:n.api.color(
"other"),weight:4,lineCap:sn};n.drawWay(e,s,"paths","walk"),_o(n,e,"nv-sign-other",t.label)}function Xl(n,t){let{lines:e}=J(t.steps,t.end,0,t.steps.length);n.drawWay(
e,{color:t.colour,weight:3,lineCap:sn},"paths","walk");let s=_o(n,e,"nv-sign-further",t.label)?.getElement()?.firstElementChild;s instanceof HTMLElement&&s.style.
setProperty("--nv-further",t.colour)}function _o(n,t,e,s){let o=t.at(-1)?.at(-1),i=n.spotAt(o);return!i||!n.here(o)?null:n.add(U(i,`nv-sign-stop ${e}`,{title:`S\
top of ${s}`,pane:"markerPane"}),"ends")}function Co(n){let{compare:t,further:e}=n.doc;!(e?.length||t?.partners)||!n.layers.shows("other")||n.others().forEach(({
steps:s,end:o,tint:i},r)=>{let a=r===0&&t?.partners?.[n.step-1]||n.step,c=n.step===0?n.start:s[a-1]?.node??o??s.at(-1)?.node,h=n.spotAt(c);if(!h||!n.here(c))return;
let d={radius:6,color:n.api.color("paper"),weight:2,fillColor:i,fillOpacity:1};n.add(L.circleMarker(h,n.on("walk",d)),"step")})}function Pt(n){let{compare:t}=n.
doc;return t?.parting!==n.step?[]:(t.apart??[]).flatMap(([e,s],o)=>{let i=n.spotAt(e),r=o?"nv-tag-other":"nv-tag-stop";return!i||!n.here(e)?[]:[{spot:i,text:String(
s),look:r,gap:16,weight:700,size:1,must:!0}]})}var Zl=Math.PI/4,Yl=1.04,[Jl,Ql]=[.2,6],ge=(n,t)=>n[0]*t[0]+n[1]*t[1]+n[2]*t[2],Io=(n,t)=>[n[1]*t[2]-n[2]*t[1],n[2]*t[0]-n[0]*t[2],n[0]*t[1]-n[1]*t[0]],No=n=>{let t=Math.
hypot(...n);return[n[0]/t,n[1]/t,n[2]/t]};function Ro(n,t,e){let s=No(t),o=No(Io([0,0,1],s)),i=Io(s,o),r=Math.tan(Zl/2)/Yl,[a,c]=Po(n,o,s,r*e),[h,d]=Po(n,i,s,r),
u=Math.min(Ql,Math.max(Jl,c,d)),p=f=>[0,1,2].map(m=>o[m]*a+i[m]*h+s[m]*f);return{eye:p(u),center:p(0)}}function Po(n,t,e,s){let o=Math.max(...n.map(r=>ge(r,e)+ge(
r,t)/s)),i=Math.max(...n.map(r=>ge(r,e)-ge(r,t)/s));return[s*(o-i)/2,(o+i)/2]}var A={type:"scatter3d",hoverinfo:"skip",showlegend:!1};function ht(n){let{at:t,ids:e}=n.nodes;return s=>typeof s=="number"&&s<e.length?t.slice(3*s,3*s+3):null}
function I(n){let t=n.filter(e=>e!==null);return{x:t.map(e=>e[0]),y:t.map(e=>e[1]),z:t.map(e=>e[2])}}function wt(n){let t={x:[],y:[],z:[]};for(let e of n){let{x:s,
y:o,z:i}=I(e);t.x.push(...s,null),t.y.push(...o,null),t.z.push(...i,null)}return t}var tc=40,ec=.22,sc=10;function Rt(n){if(!en(n))return null;let{at:t,ids:e}=n.nodes,s=h=>e.map((d,u)=>t[3*u+h]),o=h=>Math.max(...h)-Math.min(...h),i=s(2),r=Math.
max(o(s(0)),o(s(1)),1),a=Math.max(o(i),1e-6),c=Math.min(sc,Math.max(1,Math.round(ec*r/a)));return{low:Math.min(...i),reach_m:r,stretch:c}}function nc(n){let t=ht(
n),e=n.steps.flatMap(s=>s.path.length?s.path:[s.node]);return[t(n.episode.start),...e.map(t),t(n.end?.node)]}function Do(n,t,e){let{low:s}=t,o=nc(n).filter(c=>c!==
null),i=Math.max(1,Math.ceil(o.length/tc)),r=[];o.forEach((c,h)=>{(h%i===0||h===o.length-1)&&r.push([[c[0],c[1],s],c])});let a=n.end?o.at(-1)??null:null;return[
{...A,name:"shadow",mode:"lines",...I(o.map(c=>[c[0],c[1],s])),line:{color:e("mute"),width:2.5},opacity:.7},{...A,name:"heights",mode:"lines",...wt(r),line:{color:e(
"mute"),width:1.2},opacity:.55},{...A,name:"stop",mode:"markers+text",...I([a]),text:["Stop"],textposition:"bottom center",textfont:{color:e("ink"),size:13},marker:{
size:5,symbol:"square",color:e("agent"),line:{width:2,color:e("ink")}}}]}function Bo(n,t,e){let s=t?[[t[0],t[1],n.low],t]:[];return{...A,name:"height",mode:"lin\
es",...I(s),line:{color:e("agent"),width:4}}}var zo=({stretch:n})=>n>1?`Height in m, drawn × ${n}`:"Height in m";function Ho(n){return{visible:!0,title:{text:""},
tickfont:{color:n("ink"),size:12},nticks:5,gridcolor:n("rule"),showgrid:!0,zeroline:!1,showspikes:!1,showbackground:!1}}function Dt(n,t,e){let s=[];for(let o=t;o<e;o+=1){let{skill:i}=n[o],r=!!n[o].walk_back,a=s.at(-1);a&&a.skill===i&&a.back===r?a.to=o+1:s.push({skill:i,back:r,from:o,
to:o+1})}return s}var N=(n,t)=>t===void 0?void 0:n.skills?.[t]?.colour,Fo=(n,t)=>n.skills?.find(e=>e.name===t)?.colour,ye=n=>[...new Set(n.flatMap(t=>t.skill===
void 0?[]:[t.skill]))].sort((t,e)=>t-e),nn=(n,t)=>n.find(e=>e.sub_goal===t&&e.skill!==void 0)?.skill;var oc=.9,ic=.05,jo=36;function Wo(n,t){let e=ht(n),s=Rt(n),o=n.reference.map(e),i=e(n.episode.goal)??o.at(-1)??null,r=[e(n.episode.start),i],a=["Start","Goal"].
filter((u,p)=>r[p]),c=[];for(let u=0;u<n.links.length;u+=2)c.push([e(n.links[u]),e(n.links[u+1])]);let h=["circle-open","diamond"].filter((u,p)=>r[p]),d=[t("ink"),
t("reference")].filter((u,p)=>r[p]);return[...cc(n,t),{...A,name:"links",mode:"lines",...wt(c),line:{color:t("node"),width:1.6}},{...A,name:"viewpoints",mode:"m\
arkers",...I(n.nodes.ids.map((u,p)=>e(p))),hoverinfo:"none",marker:{size:3.4,color:ac(n,t),line:{width:0}}},{...A,name:"reference",mode:"lines",...I(o),line:{color:t(
"reference"),width:7,dash:"dash"}},...lc(i,n.episode.success_radius_m,t("reference")),{...A,name:"ends",mode:"markers+text",...I(r),text:a,textposition:"top cen\
ter",textfont:{color:t("ink"),size:13},marker:{size:6,symbol:h,color:d,line:{width:3,color:t("ink")}}},...hc(n,t),...s?Do(n,s,t):[]]}function on(n,t,e,s){let o=ht(
n),i=(u,p)=>n.steps.slice(u,p).flatMap(f=>f.path.length?f.path:[f.node]).map(o),r=n.steps[e-1],a=o(e===0?n.episode.start:r?.node),c=e===0?n.episode.start_heading_deg:
r?.heading_deg,h=i(0,e),d=Rt(n);return[{...A,name:"ahead",mode:"lines",...I([h.at(-1)??null,...i(e,n.steps.length)]),line:{color:t("agent"),width:2,dash:"dot"}},
{...A,name:"walked",mode:"lines",...I(h),line:{color:rn(n,t,e),width:6}},{...A,name:"facing",mode:"lines",...I(rc(a,c,d)),line:{color:t("agent"),width:9}},{...A,
name:"agent",mode:"markers",...I([a]),marker:{size:8,color:t("agent"),line:{width:2,color:t("paper")}}},{...A,name:"light",mode:"markers",...I(s),marker:{size:11,
color:t("lit"),opacity:.8}},...d?[Bo(d,a,t)]:[]]}function rn(n,t,e){if(!n.skills)return t("agent");let s=ht(n);return n.steps.slice(0,e).flatMap(o=>(o.path.length?
o.path:[o.node]).filter(r=>s(r)!==null).map(()=>N(n,o.skill)??t("agent")))}function rc(n,t,e){if(!n||t===void 0)return[];let s=t*Math.PI/180,o=Math.max(oc,e?ic*
e.reach_m:0);return[n,[n[0]+o*Math.sin(s),n[1]+o*Math.cos(s),n[2]]]}function ac(n,t){let e=[t("mute"),t("poi"),t("landmark")];return(n.indoor?.floor_of??[]).map(
s=>e[s%e.length])}function lc(n,t,e){if(!n)return[];let[s,o,i]=n,r=c=>Array.from({length:jo+1},(h,d)=>{let u=2*Math.PI*d/jo;return c(t*Math.cos(u),t*Math.sin(u))}),
a=[r((c,h)=>[s+c,o+h,i]),r((c,h)=>[s+c,o,i+h]),r((c,h)=>[s,o+c,i+h])];return[{...A,name:"goal sphere",mode:"lines",...wt(a),opacity:.55,line:{color:e,width:2}}]}
function cc(n,t){let{rooms:e,floors:s}=n.indoor??{rooms:[],floors:[]};if(!e.length)return[];let o={x:[],y:[],z:[],i:[],j:[],k:[]},i=[];for(let{box_m:[r,a,c,h],floor:d}of e){
let u=o.x.length,p=s[d].level_m;o.x.push(r,c,c,r),o.y.push(a,a,h,h),o.z.push(p,p,p,p),o.i.push(u,u),o.j.push(u+1,u+2),o.k.push(u+2,u+3),i.push([[r,a,p],[c,a,p],
[c,h,p],[r,h,p],[r,a,p]])}return[{type:"mesh3d",name:"rooms",...o,color:t("area-building"),opacity:.35,hoverinfo:"skip",showlegend:!1},{...A,name:"walls",mode:"\
lines",...wt(i),line:{color:t("mute"),width:1.5}}]}function hc(n,t){return n.compare?[{...n.compare,tint:t("other")},...(n.further??[]).map(s=>({...s,tint:s.colour}))].
map(({steps:s,tint:o})=>({...A,name:"compared",mode:"lines",...I(s.flatMap(i=>i.path.length?i.path:[i.node]).map(ht(n))),line:{color:o,width:5,dash:"longdashdot"}})):
[]}var dc=[-.22,-.78,.68],uc=40,qo=90,pc=900,fc=3e3,mc=1.3,gc=130,Uo={displayModeBar:!1,responsive:!1,scrollZoom:!0},kt=class n{constructor(t,e,s,o){this.box=t,this.
doc=e,this.api=s,this.onPoint=o,this.step=0,this.ready=!1,this.gone=!1,this.shown=!0,this.busy=!1,this.stale=!1,this.changedAt=0,this.cost=0,this.lit=[],this.eye=
void 0,this.note=l("p",{class:"nv-nothing",text:"Loading the 3-D scene …"}),this.plot=l("div",{class:"nv-plot"}),this.words=l("p",{class:"nv-scene-words"}),t.
append(this.plot,this.words,this.note)}static possible(t){return!!(globalThis.Plotly||t.options.plotly||t.options.loadPlotly)}static loading=null;static async load({
plotly:t,loadPlotly:e}){if(!globalThis.Plotly&&e&&await e(),!globalThis.Plotly&&t&&(n.loading??=new Promise((s,o)=>{let i={load:()=>s(),error:()=>o(new Error("n\
ot reachable"))};document.head.append(l("script",{src:t,async:!0,on:i}))}),await n.loading.catch(()=>{n.loading=null})),!globalThis.Plotly)throw new Error("plot\
ly's script is not there");return globalThis.Plotly}async start(t){this.step=t;let{options:e}=this.api,s=e.plotlyNote,o=s?setTimeout(()=>this.note.replaceChildren(
s),fc):0;try{this.plotly=await n.load(e)}catch{this.note.textContent="The 3-D scene is not there: plotly's script could not be loaded.";return}if(clearTimeout(o),
this.gone)return;this.stale=!1;let i=this.layout();if(this.eye=i.scene.camera.eye,await this.plotly.newPlot(this.plot,this.traces(),i,Uo),this.gone){this.plotly.
purge(this.plot);return}this.note.remove(),this.ready=!0,this.box.dataset.ready="true",this.plot.on("plotly_hover",r=>this.onPoint(Ko(r))),this.plot.on("plotly_\
unhover",()=>this.onPoint(null)),this.plot.on("plotly_click",r=>{let a=Ko(r);a&&this.api.pick(a)}),this.resize(),this.stale&&this.later()}traces(){let t=Wo(this.
doc,this.api.color);return this.moving=t.length,[...t,...on(this.doc,this.api.color,this.step,this.lit)]}layout(){let t={visible:!1,showgrid:!1,zeroline:!1,showspikes:!1},
e=this.api.color("ground"),s=this.edges(),[o,i,r]=s.map(C=>({...t,range:C})),a=Rt(this.doc);this.words.textContent=a?zo(a):"";let c=s.map(([C,at],W)=>(W===2?a?.
stretch??1:1)*(at-C)),h=Math.max(...c),{clientWidth:d,clientHeight:u}=this.box,p=a?Math.max(mc,1+gc/(d||1e3)):1,[f,m,b]=c.map(C=>C/h),S=this.corners().map(C=>C.
map((at,W)=>{let[lt,ft]=s[W];return p*((at-(lt+ft)/2)/(ft-lt))*c[W]/h})),{eye:T,center:E}=Ro(S,dc,(d||1)/(u||1)),B={x:0,y:0,z:1},R={eye:Go(T),center:Go(E),up:B,
projection:{type:"perspective"}};return{margin:{l:0,r:0,t:0,b:0},paper_bgcolor:e,showlegend:!1,uirevision:"stay",hovermode:"closest",width:d||300,height:u||300,
scene:{aspectmode:"manual",aspectratio:{x:f,y:m,z:b},xaxis:o,yaxis:i,zaxis:a?{...r,...Ho(this.api.color)}:r,uirevision:"stay",bgcolor:e,camera:R}}}corners(){let{
nodes:t,indoor:e}=this.doc,s=t.ids.map((o,i)=>t.at.slice(3*i,3*i+3));for(let{box_m:o,floor:i}of e?.rooms??[]){let r=e?.floors[i].level_m??0;for(let a of[o[0],o[2]])
for(let c of[o[1],o[3]])s.push([a,c,r])}return s.length?s:[[0,0,0]]}edges(){let t=this.corners();return[0,1,2].map(e=>[Math.min(...t.map(s=>s[e]))-.4,Math.max(...t.
map(s=>s[e]))+.4])}showStep(t){this.step=t,this.later()}highlight(t){this.lit=t,this.later()}later(){this.stale=!0,!(!this.ready||!this.shown)&&(this.changedAt=
performance.now(),!this.busy&&(this.busy=!0,this.follow()))}turn(t){this.shown=t,t&&this.stale&&this.later()}async follow(){for(;this.stale&&this.shown&&!this.gone&&
this.plotly;){await this.calm(),this.stale=!1;let t=performance.now();await this.draw(),this.cost=performance.now()-t}this.busy=!1}async calm(){await new Promise(
s=>requestAnimationFrame(()=>setTimeout(s,0)));let t=performance.now(),e=()=>performance.now()-this.changedAt>qo;for(;this.cost>uc&&!e()&&performance.now()-t<pc;)
await new Promise(s=>setTimeout(s,qo/3))}async draw(){let t=on(this.doc,this.api.color,this.step,this.lit),e=o=>t.map(i=>i[o]),s=t.map((o,i)=>(this.moving??0)+i);
await this.plotly?.restyle(this.plot,{x:e("x"),y:e("y"),z:e("z")},s),await this.recolour(t.findIndex(o=>o.name==="walked")),await new Promise(o=>requestAnimationFrame(
()=>setTimeout(o,0)))}async recolour(t){if(!this.doc.skills||!this.plotly||this.gone)return;let e=rn(this.doc,this.api.color,this.step);await this.plotly.restyle(
this.plot,{"line.color":[e]},[(this.moving??0)+t])}redraw(){if(!this.ready)return;let t=this.plot.layout.scene?.camera,e=this.layout();t&&Object.assign(e.scene,
{camera:t}),this.plotly?.react(this.plot,this.traces(),e,Uo)}update(t){this.doc=t,this.redraw()}resize(){let{clientWidth:t,clientHeight:e}=this.box;if(!this.ready||
t<=20)return;let{layout:s}=this.plot;if(s.width===t&&s.height===e)return;let{camera:o}=this.layout().scene,i=JSON.stringify(s.scene?.camera?.eye)!==JSON.stringify(
this.eye);i||(this.eye=o.eye),this.plotly?.relayout(this.plot,i?{width:t,height:e}:{width:t,height:e,"scene.camera":o})}destroy(){this.gone=!0,this.ready&&this.
plotly?.purge(this.plot)}},Go=([n,t,e])=>({x:n,y:t,z:e});function Ko({points:n}){let t=n?.[0];return t?.data?.name==="viewpoints"?`n:${t.pointNumber}`:null}function Q(n,t){let e=n.frame==="geo"?2:3;return n.nodes.at.slice(t*e,t*e+e)}function tt(n,t){return{label:n.nodes.ids[t],nodes:[t],at:[Q(n,t)]}}function we({causes:n}){
return n?.leading===void 0?void 0:n.all[n.leading]}var Vo={geo:22,metric:2.2},Xo=111320,Zo=6;function Yo(n,t){if(n.coneShape.remove(),!t)return;let e=n.api.color("lit"),s=n.on("walk",{color:e,weight:1.5,fillColor:e,
fillOpacity:.28}),o=yc(n.doc,t).map(i=>n.spot(i));n.coneShape=L.polygon(o,s).addTo(n.map)}function yc(n,{node:t,heading:e,field:s}){let o=Q(n,t),i=[o];for(let r=0;r<=
Zo;r++){let a=(e-s/2+s*r/Zo)*Math.PI/180,[c,h]=[Math.sin(a)*Vo[n.frame],Math.cos(a)*Vo[n.frame]];if(n.frame==="geo"){let d=Xo*Math.cos(o[0]*Math.PI/180);i.push(
[o[0]+h/Xo,o[1]+c/d])}else i.push([o[0]+c,o[1]+h,o[2]])}return i}function ke(n){n.eachLayer(e=>{let s=e;s._redrawRequest&&(L.Util.cancelAnimFrame(s._redrawRequest),s._redrawRequest=null)});let t=n;clearTimeout(t.scrollWheelZoom?.
_timer),t._animatingZoom=!1,t.panBy=()=>n,n.remove()}var wc=26,kc=12,an={mends:{color:"good",weight:6},holds:{color:"good",weight:6},nearer:{color:"light",weight:4},farther:{color:"rejected",weight:2.5},ruins:{color:"\
bad",weight:2.5}},bc="3 5",xc={mends:"link that reaches the goal",holds:"link that still reaches it",nearer:"ends nearer",farther:"ends no nearer",ruins:"misses\
 the goal"},be=class{constructor(t){this.view=t,this.group=L.layerGroup().addTo(t.map),this.all=[],this.chosen=null,this.onPoint=null,this.edge=L.polyline([]),this.
line=L.polyline([]),this.end=L.circleMarker([0,0]),t.map.on("mousemove",e=>this.point(e.containerPoint)),t.map.on("zoomend",()=>this.draw())}show(t,e){this.all=
t,this.onPoint=e,this.draw(),this.view.paint()}lines(t){let e=[],s=!1;for(let o of t){let i=this.view.placeHere(o);i&&!s&&e.push([]),i&&e[e.length-1].push(this.
view.spot(o)),s=i}return e}stub(t){let{map:e}=this.view,[s]=this.lines(t);if(!s)return[];let o=s.map(a=>e.latLngToLayerPoint(a)),i=wc,r=[e.layerPointToLatLng(o[0])];
for(let a=1;a<o.length&&i>0;a+=1){let c=o[a].distanceTo(o[a-1]),h=c>i?i/c:1,[d,u]=[o[a-1],o[a]];r.push(e.layerPointToLatLng(L.point(d.x+(u.x-d.x)*h,d.y+(u.y-d.y)*
h))),i-=c}return r}draw(){let{view:t,all:e}=this;if(this.group.clearLayers(),!e.length)return;let{color:s}=t.api;for(let r of e.toReversed()){let a=this.stub(r.
tail);if(a.length<2)continue;let c=an[r.outcome],h={color:s("ground"),weight:c.weight+3,opacity:.9};this.group.addLayer(L.polyline(a,t.on("walk",h)));let d=r.unstable?
bc:void 0,u={color:s(c.color),weight:c.weight,dashArray:d,lineCap:"butt"};this.group.addLayer(L.polyline(a,t.on("walk",u)))}let o=t.on("move",{color:s("ground"),
weight:8,opacity:.85});this.edge=L.polyline([],o).addTo(this.group),this.line=L.polyline([],t.on("move",{weight:4,dashArray:"9 6"})).addTo(this.group);let i=t.on(
"move",{radius:7,weight:3,fillColor:s("ground"),fillOpacity:1});this.end=L.circleMarker(t.spot(e[0].tail[0]),i).addTo(this.group),this.set(this.chosen)}choose(t){
this.set(t),this.view.labels.tags(),this.view.labels.soon()}set(t){this.chosen=t;let e=t?this.lines(t.tail):[],s=this.view.api.color(t?an[t.outcome].color:"reje\
cted");this.edge.setLatLngs(e),this.line.setLatLngs(e).setStyle({color:s});let o=t?.tail.at(-1),i=o!==void 0&&this.view.placeHere(o);i&&this.end.setLatLng(this.
view.spot(o)),this.end.setStyle({color:s,opacity:i?1:0,fillOpacity:i?1:0})}entries(){let{color:t}=this.view.api;return Object.entries(xc).filter(([s])=>this.all.
some(({outcome:o})=>o===s)).map(([s,o])=>["ghost",o,t(an[s].color)])}tags(){let{chosen:t,view:e}=this,s=t?.tail.at(-1);if(!this.all.length||!t||!s||!e.placeHere(
s))return[];let o=e.doc.frame==="geo"?0:1,i=t.ne===null?"what if":`what if: ${k(t.ne,o)}`;return[{spot:e.spot(s),text:i,look:"nv-tag-ghost",gap:13,weight:650,size:.93,
must:!0}]}point(t){if(!this.all.length||!this.onPoint)return;let{map:e}=this.view,s=null,o=kc;for(let i of this.all){let r=this.stub(i.tail).map(a=>e.latLngToContainerPoint(
a));for(let a=1;a<r.length;a+=1){let h=L.LineUtil.pointToSegmentDistance(t,r[a-1],r[a])+.2*t.distanceTo(r[r.length-1]);h<o&&([s,o]=[i,h])}}s&&s!==this.chosen&&this.
onPoint(s)}};function Jo(n,t){n.groups.light.clearLayers();for(let e of n.box.querySelectorAll(".nv-sign.nv-lit"))e.classList.remove("nv-lit");for(let e of t){for(let s of n.
api.resolve(e,n.step).at)vc(n,n.spot(s),n.refHere(e,s));for(let s of n.box.querySelectorAll(`.nv-sign[data-ref="${CSS.escape(e)}"]`))s.classList.add("nv-lit")}}
function vc(n,t,e){let{color:s}=n.api,o={radius:15,color:s("lit"),weight:4,fillColor:s("lit"),fillOpacity:e?.25:.1,dashArray:e?void 0:"4 4"};if(n.add(L.circleMarker(
t,n.on("walk",o)),"light"),!e)return;let i={radius:5,color:s("ground"),weight:1.5,fillColor:s("lit"),fillOpacity:1};n.add(L.circleMarker(t,n.on("walk",i)),"ligh\
t")}var ln=(n,t)=>n[0]<t[2]&&n[2]>t[0]&&n[1]<t[3]&&n[3]>t[1],Sc=(n,t)=>n[0]>=t[0]&&n[1]>=t[1]&&n[2]<=t[2]&&n[3]<=t[3];function Qo({at:[n,t],width:e,height:s,gap:o,within:i,
left:r,must:a},c,h){let d=s/2,u=[n+o,t-d,n+o+e,t+d],p=[n-o-e,t-d,n-o,t+d],f=[...r?[p,u]:[u,p],[n-e/2,t-o-s,n+e/2,t-o],[n-e/2,t+o,n+e/2,t+o+s]],m=f.filter(S=>Sc(
S,i??h));return m.find(S=>!c.some(T=>ln(S,T)))??(a?m[0]??f[0]:null)}function ti(n,t,[e,s,o,i],r,a=[]){let c=Math.min(8,(i-s)*.08);if(n>o-e-2*c||t>i-s-2*c)return null;
let h=[(e+o-n)/2,e+c,o-n-c],u=[s+c,i-t-c,(s+i-t)/2].flatMap(f=>h.map(m=>[m,f,m+n,f+t])).filter(f=>!a.some(m=>ln(f,m)));if(!u.length)return null;let p=u.map(f=>r.
filter(m=>ln(f,m)).length);return u[p.indexOf(Math.min(...p))]}function ei(n,t){let e=[];for(let s=0;s+1<n.length;s+=1){let[o,i]=[n[s],n[s+1]],r=Math.min(60,Math.
max(1,Math.ceil(Math.hypot(i[0]-o[0],i[1]-o[1])/(2*t))));for(let a=0;a<=r;a+=1){let c=o[0]+(i[0]-o[0])*a/r,h=o[1]+(i[1]-o[1])*a/r;e.push([c-t,h-t,c+t,h+t])}}return e}var Mc=120,si=32,Tc=90,Ec=12/14,$c=12,xe=class{constructor(t){this.view=t,this.group=L.layerGroup().addTo(t.map),this.shown={tags:new Map,names:new Map},this.tagged=
null,this.taken=[],this.said=[],this.words=[],this.waiting=void 0,this.type=null}forget(){this.type=null}tags(){let{view:t}=this;t.gone||!t.map.getSize().x||(this.
taken=[...this.furniture(),...this.signs(),...this.paths()],this.words=[],this.said=[],this.fill("tags",t.tags()),this.tagged=[this.taken.length,this.words.length,
this.said.length])}soon(){clearTimeout(this.waiting),this.waiting=setTimeout(()=>this.names(),Mc)}moved(){this.tagged=null,this.soon()}names(){let{view:t}=this;
t.gone||!t.map.getSize().x||(this.tagged?[this.taken.length,this.words.length,this.said.length]=this.tagged:this.tags(),this.fill("names",t.names(),t.nameRoom()))}fill(t,e,s=Number.
POSITIVE_INFINITY){let o=this.shown[t],i=new Map;this.shown[t]=i;for(let r of e){if(i.size>=s)break;let a=this.place(r);if(!a)continue;let c=JSON.stringify([r.spot,
r.look,a]);i.set(c,o.get(c)??this.marker(r,a).addTo(this.group)),o.delete(c)}for(let r of o.values())this.group.removeLayer(r)}place({spot:t,text:e,gap:s=8,weight:o=500,
size:i=Ec,left:r,must:a,centred:c,within:h}){let{map:d}=this.view,u=d.latLngToContainerPoint(t),p=d.getSize();if(this.said.some(([W,lt])=>W===e&&lt.distanceTo(u)<
Tc))return null;let f=e.length>si?`${e.slice(0,si-2).trimEnd()}…`:e,[m,b]=this.measure(f,o,i),S=h?.map(W=>d.latLngToContainerPoint(W)),T=S?[S[0].x,S[0].y,S[1].
x,S[1].y]:void 0,E=[u.x,u.y],B=[2,2,p.x-2,p.y-2],C=T&&c?ti(m,b,T,this.taken,this.words):Qo({at:E,width:m,height:b,gap:s,within:T,left:r,must:a},this.taken,B);if(!C)
return null;this.taken.push(C),this.words.push(C),this.said.push([e,u]);let at={left:`${C[0]-u.x}px`,top:`${C[1]-u.y}px`,width:`${m}px`,height:`${b}px`,"font-si\
ze":`${b/1.3}px`,"font-weight":String(o)};return{words:f,style:at}}marker({spot:t,look:e},{words:s,style:o}){let i=l("div",{class:`nv-tag ${e}`,text:s,style:o}),
r=L.divIcon({html:i,className:"nv-tag-icon",iconSize:[0,0]});return L.marker(t,{pane:"nv-labels",interactive:!1,keyboard:!1,icon:r})}measure(t,e,s){this.type??=
this.readType();let o=Math.max($c,this.type.px*s);return this.type.pen.font=`${e} ${o}px ${this.type.face}`,[Math.ceil(this.type.pen.measureText(t).width)+4,o*1.3]}readType(){
let t=getComputedStyle(this.view.box),e=document.createElement("canvas").getContext("2d");if(!e)throw new Error("this browser has no canvas");return{pen:e,px:Number.
parseFloat(t.fontSize),face:t.fontFamily}}furniture(){let{view:t}=this,e=[t.tools,t.legend.box,t.credit,...t.plan.querySelectorAll(".nv-floors, .leaflet-control\
-scale")],s=[];for(let o of e){let i=t.boxOf(o);i&&s.push([i[0]-3,i[1]-3,i[2]+3,i[3]+3])}return s}signs(){let{view:t}=this,e=[],s=(i,r)=>{let a=t.map.latLngToContainerPoint(
i);e.push([a.x-r,a.y-r,a.x+r,a.y+r])};for(let i of[t.groups.ends,t.groups.step])i.eachLayer(r=>{r instanceof L.Marker&&s(r.getLatLng(),10)});let o=t.spotAt(t.standing);
return o&&s(o,15),e}paths(){let{view:t}=this;return[t.doc.reference,t.walked].map(s=>t.way(s.filter(o=>t.here(o)))).flatMap(s=>{let o=s.map(i=>t.map.latLngToContainerPoint(
i));return ei(o.map(i=>[i.x,i.y]),5)})}keepFree(t){let{map:e}=this.view,s=e.getSize();for(let o of t){let{x:i,y:r}=e.latLngToContainerPoint(o);i>0&&r>0&&i<s.x&&
r<s.y&&this.taken.push([i-3,r-3,i+3,r+3])}}destroy(){clearTimeout(this.waiting)}};var Lc={reference:"Reference path",other:"Other run",candidates:"Candidates",seen:"Visible area",memory:"The agent's map",pois:"Places"},ve=class{constructor(t){
this.onChange=t,this.off=new Set;let e=Z("layers.off");if(Array.isArray(e))for(let s of e)this.off.add(String(s));this.list=l("div",{class:"nv-layer-list",hidden:!0}),
this.button=_("layers","Layers",()=>this.toggle(),{tool:"layers"})}shows(t){return!this.off.has(t)}offer(t){this.button.hidden=!t.length,this.list.replaceChildren(
...t.map(e=>this.row(e)))}row(t){let s=l("input",{type:"checkbox",data:{layer:t},on:{change:()=>this.set(t,s.checked)}});return s.checked=this.shows(t),l("label",
{},s,l("span",{text:Lc[t]}))}set(t,e){e?this.off.delete(t):this.off.add(t),X("layers.off",[...this.off]),this.onChange()}toggle(t=this.list.hidden!==!1){this.list.
hidden=!t,this.button.classList.toggle("nv-on",t)}};var Se=16,Me=class{constructor(){this.box=l("div",{class:"nv-legend"}),this.said=""}show(t){let e=t.filter(o=>o!==null&&o!==!1&&o!==void 0),s=JSON.stringify(e);
s!==this.said&&(this.said=s,this.box.hidden=!e.length,this.box.replaceChildren(...e.map(([o,i,r])=>{let a=r?{"background-color":r}:{};return l("span",{},l("i",{
class:`nv-key nv-key-${o}`,style:a}),i)})))}room(t){let e=[...this.box.childNodes],{said:s}=this,{hidden:o}=this.box;this.box.classList.remove("nv-legend-up"),this.
show(t);let{offsetLeft:i,offsetTop:r,offsetWidth:a,offsetHeight:c}=this.box;return this.said=s,this.box.hidden=o,this.box.replaceChildren(...e),c?[i,r,i+a,r+c]:
void 0}avoid(t){let{box:e}=this;e.classList.remove("nv-legend-up"),!(!t||e.hidden||!this.covers(t))&&(e.classList.add("nv-legend-up"),this.covers(t)&&e.classList.
remove("nv-legend-up"))}covers({x:t,y:e}){let{offsetLeft:s,offsetTop:o,offsetWidth:i,offsetHeight:r}=this.box;return t>s-Se&&t<s+i+Se&&e>o-Se&&e<o+r+Se}};var Bt={explored:{color:"reference",opacity:.95,word:"explored"},seen:{color:"rejected",opacity:.9,word:"seen"},"pruned now":{color:"bad",dashArray:"3 3",opacity:.95,
word:"pruned now"},"pruned before":{color:"rejected",dashArray:"2 4",opacity:.45,word:"pruned before"}},Ac=9,Te=n=>typeof n=="string"?`nv-place-${n.replaceAll(/[^a-z]+/g,
"-")}`:"";function cn(n){let t=n?.panels.find(s=>s.kind==="graph"&&Array.isArray(s.data.states));return(Array.isArray(t?.data.nodes)?t.data.nodes:[]).filter(s=>typeof s?.
id=="string"&&typeof s.state=="string")}var ni=n=>n.steps.some(t=>cn(t).length>0),oi=n=>new Set(n.steps.flatMap(t=>cn(t).map(e=>e.state)).filter(t=>t in Bt)),ii=n=>Object.
keys(Bt).filter(t=>n.has(t)).map(t=>[Te(t).replace("nv-",""),Bt[t].word]);function ri(n,t){let e=new Set,s=cn(t);if(!s.length)return e;let o=new Map(n.doc.nodes.
ids.map((i,r)=>[i,r]));for(let{id:i,state:r}of s){let a=o.get(i),c=Object.hasOwn(Bt,r)?Bt[r]:void 0,h=n.spotAt(a);if(!c||!h||!n.here(a))continue;let{color:d,dashArray:u,
opacity:p}=c,f={radius:Ac,color:n.api.color(d),weight:2.6,opacity:p,dashArray:u,fill:!1};n.add(L.circleMarker(h,n.on("walk",f)),"step"),e.add(r)}return e}function hn(n){let t=n.steps.map(s=>s.observation).filter(s=>s!==void 0);return[["reference",n.reference.length>0],["other",!!n.compare],["candidates",t.some(s=>s.
candidates.length>0)],["seen",t.some(s=>s.visible.length>0)],["memory",ni(n)],["pois",n.pois.length>0]].filter(([,s])=>s).map(([s])=>s)}function ai(n){let{doc:t}=n,
e=hn(t),s=i=>e.includes(i)&&n.layers.shows(i),o=new Set(t.steps.flatMap(i=>(i.observation?.candidates??[]).map(r=>r.state)));return ci(n,{other:s("other"),seen:s(
"seen"),leaps:t.steps.some(i=>i.jumps?.length),chosen:s("candidates")&&o.has("chosen"),rejected:s("candidates")&&o.has("rejected"),offered:s("candidates")&&o.has(
"offered"),memory:s("memory")?oi(t):void 0})}function li(n,t){return ci(n,{...t,other:!!n.doc.compare&&n.layers.shows("other")})}function ci(n,{other:t,seen:e,leaps:s,
chosen:o,rejected:i,offered:r,memory:a}){let{doc:c}=n;return[c.reference.length>0&&n.layers.shows("reference")&&["reference","reference path"],...Oc(n),t&&c.compare&&
["other",c.compare.label],...t?(c.further??[]).map(h=>["further",h.label,h.colour]):[],e&&["seen","visible area"],o&&["chosen","chosen"],i&&["rejected","not tak\
en"],r&&["offered",n.offeredWord()],...a?ii(a):[],s&&["jump","jump"],...n.whatIf.entries()]}function Oc({doc:n,api:t}){if(!n.steps.length)return[];let e=ye(n.steps);
return!n.skills||!e.length?[["agent",n.label??t.options.agentWord??"agent"]]:[...e.map(s=>["skill",n.skills?.[s].short??"",N(n,s)]),n.steps.some(s=>s.walk_back)&&
["back","back to the best stop"]]}var _c=n=>n.replace(/[.*+?^${}()|[\]\\]/g,"\\$&"),O=n=>`s:${n.toLowerCase()}`,zt=class{constructor(t){this.tokens=new Map(t.nodes.ids.map((e,s)=>[e,`n:${s}`])),
this.letters=new Map,this.baseLetters=new Map,this.names=new Set;for(let e of t.planning.landmarks)this.addName(e.name,e.letter);for(let e of t.steps)for(let s of e.
observation?.pois??[])this.addName(s.name);this.exact=new Set;for(let e of t.pois.slice(0,400))e.kind&&e.name.length>3&&!this.names.has(e.name)&&this.exact.add(
e.name);this.placed=new Set,this.reasons=new Map,this.place(t),this.lower=new Set([...this.names].map(e=>e.toLowerCase())),this.pattern=this.makePattern()}addName(t,e){
t&&(t.length>2&&this.names.add(t),e&&this.baseLetters.set(e,O(t)))}place(t){let e=t.steps.flatMap(s=>s.observation?.pois??[]);for(let{name:s,at:o}of[...e,...t.pois,
...t.planning.landmarks])o&&this.placed.add(O(s));for(let{name:s,unplaced:o}of t.planning.landmarks)o&&this.reasons.set(O(s),o)}unplaced(t){if(!(!t.startsWith("\
s:")||this.placed.has(t)))return this.reasons.get(t)??"its place is not known"}makePattern(){let t=[...this.tokens.keys()].filter(o=>!/^[\w-]+$/.test(o)).slice(
0,3e3),e=[...[...this.names].slice(0,400),...this.exact,...t].sort((o,i)=>i.length-o.length).map(_c),s=e.length?`(?<![\\p{L}\\p{N}])(${e.join("|")})(?![\\p{L}\\p{\
N}])`:"($^)";return new RegExp(`${s}|([\\w-]+)|["'\`(]([A-Z])["'\`)]`,"giu")}setStep(t){this.letters=new Map(this.baseLetters);for(let e of t?.observation?.pois??
[])e.letter&&this.letters.set(e.letter,O(e.name))}pieces(t){let e=[],s=0;for(let o of t.matchAll(this.pattern)){let i=this.refOf(o,t);i&&(o.index>s&&e.push({text:t.
slice(s,o.index),ref:null}),e.push({text:o[0],ref:i}),s=o.index+o[0].length)}return s<t.length&&e.push({text:t.slice(s),ref:null}),e}refOf(t,e){if(t[1])return this.
tokens.get(t[1])??(this.isName(t[1])?O(t[1]):null);if(t[3])return this.letters.get(t[3])??null;let s=t[2],o=this.tokens.get(s)??null;return o&&/^\d{1,4}$/.test(
s)&&!/["'`]/.test(e[(t.index??0)-1]??"")?null:o}isName(t){return this.exact.has(t)||this.lower.has(t.toLowerCase())}letter(t){return/^[A-Z]$/.test(t)?this.letters.
get(t):void 0}};var dn=14,Cc=10,Ee=class{constructor(t){this.view=t,this.mouse=null,this.waiting=null,this.pointed=void 0,this.tip=l("div",{class:"nv-map-tip",hidden:!0}),t.plan.
append(this.tip),this.listen()}listen(){let{map:t}=this.view;t.on("mousemove",e=>{this.mouse=e,this.waiting??=requestAnimationFrame(()=>{this.waiting=null,this.
point()})}),t.on("mouseout",()=>{this.mouse=null,this.leave()}),t.on("movestart",()=>{this.tip.hidden=!0}),t.on("click",e=>{let s=this.nearest(e.containerPoint);
s?.node!==void 0&&e.originalEvent.altKey&&this.view.api.breakAt?this.view.api.breakAt(this.view.doc.nodes.ids[s.node]):s&&this.view.api.pick(s.ref)})}point(){if(!this.
mouse||this.view.gone)return;let t=this.nearest(this.mouse.containerPoint);if(t?.ref!==this.pointed){if(!t){this.leave();return}this.pointed=t.ref,this.view.api.
hover([t.ref]),this.view.highlight([t.ref]),this.showTip(t)}}leave(){!this.pointed&&this.tip.hidden||(this.pointed=void 0,this.tip.hidden=!0,this.view.api.hover(
[]),this.view.highlight([]))}nearest(t){let{view:e}=this,s=e.map.containerPointToLatLng(t),o=e.map.containerPointToLatLng(t.add([dn,-dn])),[i,r]=[Math.abs(o.lat-
s.lat),Math.abs(o.lng-s.lng)],a=null,c=dn,h=(u,p)=>{if(Math.abs(u[0]-s.lat)>i||Math.abs(u[1]-s.lng)>r)return;let f=e.map.latLngToContainerPoint(u),m=f.distanceTo(
t);m>=c||(c=m,a={...p,p:f})},d=e.doc.nodes.ids.length;for(let u=0;u<d;u+=1)e.here(u)&&h(e.spotOf(u),{ref:`n:${u}`,node:u});c=Math.min(c,Cc);for(let{at:u,...p}of e.
shownPois())h(e.spot(u),{ref:O(p.name),poi:p});return a}showTip({ref:t,node:e,poi:s,p:o}){let{view:i}=this,r=s?[l("b",{text:s.name}),s.kind??"",s.distance_m===void 0?
"":`${s.distance_m.toFixed(1)} m away`]:[l("b",{class:"nv-id",text:le(i.doc.nodes.ids[e??0])}),...i.nodeFacts(e??0)],a=i.api.mentions(t);a&&r.push(`in the text ${a===
1?"once":q(a,"time","times")}`),this.tip.replaceChildren(...r.filter(Boolean).map(h=>l("div",{},h))),this.tip.hidden=!1;let c=i.map.getSize();this.tip.style.left=
`${Math.min(o.x+16,c.x-this.tip.offsetWidth-8)}px`,this.tip.style.top=`${Math.max(8,Math.min(o.y+14,c.y-this.tip.offsetHeight-8))}px`}destroy(){this.waiting!==null&&
cancelAnimationFrame(this.waiting)}};function hi(n){return(we(n.doc)?.quotes??[]).filter(({at:t,source:e})=>t&&e==="map")}function di(n){for(let{at:t}of hi(n)){let e={radius:14,color:n.api.color("b\
ad"),weight:3,fill:!1,dashArray:"6 4"};n.add(L.circleMarker(n.spot(t??[]),n.on("walk",e)),"step")}}function ui(n){return hi(n).map(({at:t,text:e})=>({spot:n.spot(
t??[]),text:e,look:"nv-tag-proof",gap:18,weight:700,size:13/14,must:!0}))}function pi(n,t){return un(n.nodes.ids,t.nodes.ids)&&un(n.nodes.crossings,t.nodes.crossings)&&n.pois.length===t.pois.length&&n.pois.every((e,s)=>e.id===t.pois[s].
id)&&n.streets.length===t.streets.length&&n.streets.every((e,s)=>un(e,t.streets[s]))}function un(n,t){return n.length===t.length&&n.every((e,s)=>e===t[s])}var Ic=[["ground",210],["walk",420],["move",580]],Nc=["ground","paths","ends","step","light"],Pc={"nv-signs":560,"nv-chosen":610,"nv-labels":650},mi=.1,fi=.4;function gi(n){
let t={};for(let[e,s]of Ic){let o=n.createPane(`nv-${e}`);o.style.zIndex=String(s),o.style.pointerEvents="none",t[e]=L.canvas({pane:`nv-${e}`,padding:mi});let i=t[e],
r=i._redraw;i._redraw=()=>{i._redrawRequest&&L.Util.cancelAnimFrame(i._redrawRequest),i._ctx&&r.call(i)}}for(let[e,s]of Object.entries(Pc))n.createPane(e).style.
zIndex=String(s);return t}function yi(n,t){for(let e of Object.values(t)){if(e.options.padding===fi)continue;e.options.padding=fi;let s=e;n.hasLayer(e)&&s._update()}}
function wi(n){for(let t of Object.values(n))t.options.padding=mi}function ki(n){return Object.fromEntries(Nc.map(t=>[t,L.layerGroup().addTo(n)]))}function bi(n){for(let{node:t}of n.api.options.breakpoints??[]){let e=n.spotAt(n.doc.nodes.ids.indexOf(t??"")),s={radius:6,color:n.api.color("paper"),weight:2,fillColor:n.
api.color("bad"),fillOpacity:1};e&&n.add(L.circleMarker(e,n.on("walk",s)),"step")}}function xi(n,t){bi(n);let e={leaps:Rc(n)};if(!t)return e;let s=H(n.doc.steps,n.step-1,n.end);if(t.observation&&n.layers.shows("seen")&&(e.seen=Bc(n,t.observation)),
n.drawAround(t),n.layers.shows("memory")&&(e.memory=ri(n,t)),n.layers.shows("candidates")&&Object.assign(e,zc(n,t,s)),jc(n,s),n.layers.shows("pois"))for(let i of n.
seen())Wc(n,i);let o=t.decision?.legal===!1?n.spotAt(t.decision.target):null;return o&&n.here(t.decision?.target)&&n.add(U(o,"nv-sign-bad",{title:"Illegal decis\
ion",pane:"nv-chosen"}),"step"),e}function Rc(n){let{doc:t,step:e,end:s}=n,{color:o}=n.api,i=J(t.steps,s,0,e);for(let r of Dt(t.steps,e,t.steps.length)){let{lines:a}=J(
t.steps,s,r.from,r.to),c=N(t,r.skill)??o("agent");n.drawWay(a,{color:c,weight:2,opacity:.75,dashArray:"1 6"},"step","walk")}t.stages.length&&Dc(n);for(let r of t.
stages.length?[]:Dt(t.steps,0,e)){let{lines:a}=J(t.steps,s,r.from,r.to),c=N(t,r.skill)??o("agent"),h=r.back?"7 6":void 0;n.drawWay(a,{color:c,weight:4,lineJoin:"\
round",dashArray:h},"step","walk")}return n.drawWay(i.leaps,{color:o("bad"),weight:2.5,dashArray:"2 7"},"step","walk"),i.leaps.length>0}function Dc(n){let{doc:t,
step:e,end:s}=n;t.stages.forEach(({first:o,last:i},r)=>{if(o===void 0||i===void 0||o>e)return;let{lines:a}=J(t.steps,s,o-1,Math.min(i,e)),c=n.api.color(Y(r));n.
drawWay(a,{color:c,weight:4,lineJoin:"round"},"step","walk")})}function Bc(n,t){let{color:e}=n.api,s=new Set(t.visible.filter(r=>typeof r=="number"));if(!s.size)
return!1;let o=[];for(let r of s)for(let a of n.near.get(r)??[])r<a&&s.has(a)&&o.push(n.way([r,a]));n.add(L.polyline(o,n.on("walk",{color:e("seen"),weight:20,opacity:.34,
smoothFactor:0,lineCap:"round"})),"step");let i=n.on("walk",{radius:2,stroke:!1,fillColor:e("seen-ink"),fillOpacity:.9});for(let r of n.line([...s]))n.add(L.circleMarker(
r,i),"step");return!0}function zc(n,t,e){let s=n.candidates(t),o=s.find(a=>a.state==="chosen"),i=Lo(s,[...e,...t.node===void 0?[]:[t.node],...o?[o.node,...o.path??
[]]:[]],n.near),r=new Set;for(let[a,c]of i){let h=n.spotAt(a.node);a.path&&a.path.length>1&&a.state!=="chosen"&&Hc(n,a),!(!h||!n.here(a.node))&&(r.add(c),Fc(n,a,
c,h))}return{chosen:r.has("chosen"),rejected:r.has("branch"),offered:r.has("offered")}}function Hc(n,t){let e=t.state==="rejected",s={color:n.api.color(e?"rejec\
ted":"offered"),weight:2,opacity:.85,dashArray:e?"2 4":void 0};n.drawWay([t.path??[]],s,"step","walk")}function Fc(n,t,e,s){let{color:o}=n.api,i=[t.state,t.label,
t.reason].filter(Boolean).join(" · ");if(e==="chosen")n.add(U(s,"nv-cand nv-cand-chosen",{title:i,pane:"nv-chosen"}),"step");else if(e==="branch")n.add(U(s,"nv\
-cand nv-cand-rejected",{title:i}),"step");else if(e==="offered"){let r={radius:5,color:o("offered"),weight:2.2,fillColor:o("ground"),fillOpacity:1};n.add(L.circleMarker(
s,n.on("walk",r)),"step")}else{let r={radius:2.6,stroke:!1,fillColor:o("rejected"),fillOpacity:.95};n.add(L.circleMarker(s,n.on("walk",r)),"step")}}function jc(n,t){
if(t.length<2)return;let{color:e}=n.api,s=n.doc.steps[n.step-1],o=de(n.doc.stages,n.step),i=e(o<0?"agent":Y(o)),r=o<0?N(n.doc,s?.skill)??i:i,a=s?.walk_back?"9 7":
void 0;n.drawWay([t],{color:e("ground"),weight:9,opacity:.95},"step","move"),n.drawWay([t],{color:r,weight:5.5,dashArray:a},"step","move");let c=n.spotAt(t.at(-1));
!c||!n.here(t.at(-1))||n.add(L.circleMarker(c,n.on("move",{radius:6.5,color:r,weight:3,fillColor:e("ground"),fillOpacity:1})),"step")}function Wc(n,t){if(!n.placeHere(
t.at))return;let e=n.spot(t.at),s=n.spotAt(t.node);s&&!t.approximate&&n.add(L.polyline([s,e],n.on("walk",{color:n.api.color("landmark"),weight:1.4,opacity:.9,dashArray:"\
1 4"})),"step");let o=[t.name,t.position??t.direction,t.distance_m===void 0?null:k(t.distance_m),t.approximate?"shown at its node":null],i=t.letter?"nv-sign-let\
ter":"nv-sign-object";n.add(U(e,i,{text:t.letter??"",title:o.filter(Boolean).join(" · "),ref:O(t.name)}),"step")}function pn(n,{tools:t,legend:e,credit:s,floors:o}){let i=Math.min(e?e[1]:n.y,s?s[1]:n.y),r=t?n.x-t[0]:0,a=o?o[2]:0,c=d=>Math.min(d+22,.3*n.x),h=d=>Math.min(d+22,
.3*n.y);return[c(a),h(0),c(r),h(n.y-i)]}var qc=1.5,Uc=2;function vi(n){let{doc:t}=n,e=()=>n.line(t.nodes.ids.map((a,c)=>c));if(n.api.options.whole&&!t.reference.length)return e();let s=n.others().flatMap(
({steps:a})=>a.flatMap(c=>[c.node,...c.path])),o=t.episode.tasks.map(a=>n.mainGoal(a)),i=n.line([n.start,n.goal,...o,...s]),r=[...n.way(t.reference),...n.way(n.
walked),...i];return r.length?r:e()}var $e=class{constructor(t,e){this.map=t,this.sheets=e,this.placing=!1,this.fitted=null,t.on("movestart",()=>{this.placing||
yi(t,e)})}put(t,e){wi(this.sheets),this.placing=!0,e(),this.placing=!1,this.fitted={wish:t,zoom:this.map.getZoom(),center:this.map.getCenter()}}fulfils(t){let{map:e,
fitted:s}=this;return s?.wish!==t||e.getZoom()!==s.zoom?!1:e.latLngToContainerPoint(s.center).distanceTo(e.getSize().divideBy(2))<2}};function Si(n,t){let{map:e}=n,
s=n.wanted(),o=e.getSize();if(!s.length||!o.x||!o.y)return;let i=pn(o,n.furniture()),[r,a,c,h]=i,d=L.latLngBounds(s),u=JSON.stringify([o,i,d,n.closest()]);if(n.
framing.fulfils(u))return;let p=e.getBoundsZoom(d,!1,L.point(r+c,a+h)),f=e.getMaxZoom();e.options.minZoom=Math.min(p,n.closest())-qc;let m=()=>e.fitBounds(d,{paddingTopLeft:[
r,a],paddingBottomRight:[c,h],maxZoom:Math.min(n.closest(),f),animate:t});t?m():n.framing.put(u,m)}function Mi(n,t){let{map:e,doc:s}=n,o=n.way(t?H(s.steps,n.step-
1,n.end):[s.episode.start]);if(!o.length||!e.getSize().x)return;let i=L.latLngBounds(o);if(e.getBounds().pad(-.02).contains(i))return;e.getBoundsZoom(i.pad(.2))>=
e.getZoom()?e.panTo(i.getCenter(),{duration:.25}):e.fitBounds(i.pad(.2),{maxZoom:e.getZoom()})}function Ti(n,t){let{map:e}=n,s=L.latLngBounds(t.map(i=>n.spot(i))),
o=Math.max(e.getZoom(),n.nearZoom());t.length>1?e.fitBounds(s.pad(.4),{maxZoom:o}):e.setView(s.getCenter(),o,{animate:!0})}function Ei(n,t,e){let s=n.around(n.spot(
t)),o=s.pad(Uc);for(let h of e)o.contains(n.spot(h))&&s.extend(n.spot(h));let[i,r,a,c]=pn(n.map.getSize(),n.furniture());n.map.fitBounds(s,{animate:!0,paddingTopLeft:[
i,r],paddingBottomRight:[a,c]})}function fn(n){let t=n.frame==="geo"?2:3,e=new Map;for(let{ends:s,at:o}of n.bends??[]){let i=[];for(let r=0;r<o.length;r+=t)i.push(o.slice(r,r+t));e.set(`${s[0]}\
 ${s[1]}`,i),e.set(`${s[1]} ${s[0]}`,[...i].reverse())}return e}var Le=class{constructor(t,e){this.api=e,this.doc=t,this.step=0,this.bends=fn(t),this.near=Nt(t.links)}turnTo(t){this.doc=t,this.bends=fn(t),this.near=Nt(t.links),
this.step=Math.min(this.step,t.steps.length)}spot(t){return[t[0],t[1]]}spotOf(t){return[this.doc.nodes.at[2*t],this.doc.nodes.at[2*t+1]]}spotAt(t){return typeof t==
"number"&&t>=0&&t<this.doc.nodes.ids.length?this.spotOf(t):null}line(t){return t.map(e=>this.spotAt(e)).filter(e=>e!==null)}between(t,e){return this.bends.get(`${t}\
 ${e}`)?.map(s=>this.spot(s))??[]}way(t){return t.flatMap((e,s)=>{let o=this.spotAt(e),i=t[s-1],r=e===void 0||i===void 0?[]:this.between(i,e);return o?[...r,o]:
[]})}here(t){return!0}placeHere(t){return!0}partsHere(t){let e={shown:[],away:[]};for(let s of t){let o=null;for(let i=0;i+1<s.length;i+=1){let[r,a]=[this.spotAt(
s[i]),this.spotAt(s[i+1])];if(!r||!a){o=null;continue}let c=this.here(s[i])||this.here(s[i+1])?e.shown:e.away,h=this.between(s[i],s[i+1]);c===o?c[c.length-1].push(
...h,a):c.push([r,...h,a]),o=c}}return e}candidates(t){return t.observation?.candidates??[]}get goal(){let{episode:t,reference:e}=this.doc;return t.goal??e.at(-1)}get start(){
let{episode:t,reference:e}=this.doc;return typeof t.start=="number"?t.start:e[0]}get end(){return this.doc.end?.node}get standing(){return this.step===0?this.doc.
episode.start:this.doc.steps[this.step-1]?.node}get walked(){return this.doc.steps.flatMap((t,e)=>H(this.doc.steps,e,this.end))}seen(){return(this.doc.steps[this.
step-1]?.observation?.pois??[]).flatMap(e=>e.at?[{...e,at:e.at}]:[])}others(){let{compare:t,further:e}=this.doc;return[...t?[{...t,tint:this.api.color("other")}]:
[],...(e??[]).map(s=>({...s,tint:s.colour}))]}mainGoal(t){let e=new Set(this.doc.reference);return t.goals.find(s=>e.has(s))??t.goals[0]}heading(){let{doc:t,step:e}=this;
return e===0?t.episode.start_heading_deg:t.steps[e-1]?.heading_deg}};var Gc=60,bt=class extends Le{constructor(t,e,s,o){super(e,s),this.box=t,this.gone=!1,this.moved=!1,this.lit=[],this.canvas=l("div",{class:"nv-leaflet"}),this.plan=
l("div",{class:"nv-plan-view"},this.canvas),t.append(this.plan),this.credit=l("div",{class:"nv-credit"}),this.legend=new Me,this.layers=new ve(()=>this.onLayers()),
this.map=L.map(this.canvas,{zoomControl:!1,attributionControl:!1,keyboard:!1,preferCanvas:!0,boxZoom:!1,wheelPxPerZoomLevel:110,...o}),this.sheets=gi(this.map),
this.framing=new $e(this.map,this.sheets),this.groups=ki(this.map),this.ends={start:null,stop:null,stopNode:void 0},this.agent=new ue,this.coneShape=L.polygon([]),
this.tools=l("div",{class:"nv-tools"},this.makeTools()),this.plan.append(this.credit,this.legend.box,this.tools,this.layers.list),L.control.scale({imperial:!1,position:"\
bottomright",maxWidth:90}).addTo(this.map),this.labels=new xe(this),this.pointer=new Ee(this),this.whatIf=new be(this),this.map.setView(this.spotAt(0)??[0,0],1,
{animate:!1}),this.listen()}listen(){this.map.on("dragstart",()=>this.take());for(let t of["wheel","dblclick"])this.canvas.addEventListener(t,()=>this.take(),{passive:!0});
this.map.on("zoomend",()=>this.restyle()),this.map.on("moveend",()=>{this.gone||(this.clearGoal(),this.labels.moved())}),this.map.on("zoomend",()=>this.labels.tags())}clearGoal(){
let t=this.spotAt(this.goal);this.legend.avoid(t&&this.doc.frame==="geo"?this.map.latLngToContainerPoint(t):void 0)}take(){this.moved=!0}wanted(){return vi(this)}furniture(){
return{tools:this.boxOf(this.tools),legend:this.legend.room(ai(this)),credit:this.boxOf(this.credit)}}boxOf(t){let e=this.plan.getBoundingClientRect(),s=t?.getBoundingClientRect();
if(!(!s?.height||s.left>=e.right))return[s.left-e.left,s.top-e.top,s.right-e.left,s.bottom-e.top]}drawAround(t){}fit(t=!0){this.moved=!1,Si(this,t)}closest(){return 18.5}resize(){
this.gone||(this.map.invalidateSize({animate:!1,pan:!1}),this.labels.forget(),this.moved||this.fit(!1),this.labels.tags(),this.labels.soon())}settle(){this.labels.
tags(),this.labels.names()}begin(){this.drawCredit(),this.fit(!1),this.drawGroundAndWays()}draw(){this.drawGroundAndWays(),this.whatIf.draw(),this.paint()}drawGroundAndWays(){
for(let t of Object.values(this.groups))t.clearLayers();this.drawGround(),this.drawWays(),this.drawCredit(),this.restyle()}drawGround(){}restyle(){}drawCredit(){
this.credit.textContent=this.doc.graph.attribution??""}add(t,e){return this.groups[e].addLayer(t),t}on(t,e){return{renderer:this.sheets[t],interactive:!1,smoothFactor:.4,
...e}}drawWay(t,e,s,o){let{shown:i,away:r}=this.partsHere(t);i.length&&this.add(L.polyline(i,this.on(o,e)),s);let a=.16*(e.opacity??1);r.length&&this.add(L.polyline(
r,this.on(o,{...e,opacity:a})),s)}offeredWord(){return"offered"}onLayers(){this.draw(),this.moved||this.fit(!1)}showStep(t){this.step=t,this.paint()}paint(){let{
doc:t,step:e}=this;this.groups.step.clearLayers(),this.groups.light.clearLayers();let s=xi(this,t.steps[e-1]);di(this),this.legend.show(li(this,s)),Co(this),this.
placeAgent(),ho(this),this.clearGoal(),this.follow(t.steps[e-1]),this.lit.length&&this.highlight(this.lit),this.labels.tags(),this.labels.soon()}placeAgent(){let t=this.
standing;this.agent.place(this.map,this.spotAt(t),this.heading(),!this.here(t))}follow(t){Mi(this,t)}tags(){return[...this.whatIf.tags(),...pe(this),...Pt(this),
...ui(this),...this.seenTags()]}names(){return[]}nameRoom(){return this.box.closest(".nv-present")?26:40}seenTags(){return this.layers.shows("pois")?uo(this):[]}shownPois(){
return[...this.layers.shows("pois")?this.doc.pois:[],...this.seen()]}highlight(t){this.lit=t,Jo(this,t)}refHere(t,e){return!0}panTo(t){let{at:e}=this.api.resolve(
t,this.step);e.length&&(this.take(),Ti(this,e),this.highlight([t]))}closeUp(t,e=[]){this.take(),Ei(this,t,e)}around(t){return L.latLng(t).toBounds(2*Gc)}nearZoom(){
return 17.5}nodeFacts(t){return[]}cone(t){Yo(this,t)}makeTools(){let t=e=>()=>{this.take(),e>0?this.map.zoomIn():this.map.zoomOut()};return[_("closer","Closer",
t(1),{tool:"in"}),_("farther","Farther",t(-1),{tool:"out"}),_("whole","The whole route",()=>this.fit(),{tool:"fit"}),this.layers.button]}update(t){let e=this.doc,
s=t.episode.id!==e.episode.id||t.world!==e.world;this.turnTo(t),this.adopt(),!s&&pi(e,t)?this.drawWays():this.drawGroundAndWays(),(s||!this.moved)&&this.fit(!1)}adopt(){}drawWays(){
this.groups.paths.clearLayers(),this.groups.ends.clearLayers(),Oo(this),this.ends=co(this),this.layers.offer(hn(this.doc))}setTheme(){this.draw()}destroy(){this.
gone=!0,this.labels.destroy(),this.pointer.destroy(),ke(this.map)}};var $i="house",Kc=.12,[Vc,Xc]=[.8,2.5],Zc=.6,Li={floors:[{name:"Floor 1",level_m:0}],floor_of:[],stairs:[],rooms:[],doors:[],outlines:[],pictures:[]},Ae=6,xt=class extends bt{constructor(t,e,s){
super(t,e,s,{crs:L.CRS.Simple,zoomSnap:0,zoomDelta:.5,minZoom:-5,maxZoom:8.6}),this.plan.classList.add("nv-floorplan"),this.solid=l("div",{class:"nv-scene"}),t.
classList.add("nv-indoor"),this.floorBox=l("div",{class:"nv-floors",role:"group","aria-label":"Floors"}),this.plan.append(this.floorBox),t.append(this.solid,this.
tools,this.layers.list),this.heights=new me(t,e),this.scene=null,this.floorButtons=[],this.house=Li,this.stairs=new Set,this.ways=[],this.floor=0,this.adopt(),this.
floor=this.floorOf(e.episode.start)??0,this.markFloor(),this.mode="plan";let o=Z($i);kt.possible(this.api)&&(o==="both"||o==="scene")?this.setMode(o):this.setMode(
"plan"),this.begin()}adopt(){this.house=this.doc.indoor??Li,this.stairs=new Set(this.house.stairs),this.heights?.update(this.doc),this.makeFloors()}spot(t){return[
t[1],t[0]]}spotOf(t){let{at:e}=this.doc.nodes;return[e[3*t+1],e[3*t]]}metresOf(t){return this.doc.nodes.at.slice(3*t,3*t+3)}floorOf(t){return typeof t=="number"?
this.house.floor_of[t]??0:null}floorAt(t){let e=this.house.floors.map(({level_m:s})=>{let o=t[2]-s;return o>-Zc?o:100-o});return e.indexOf(Math.min(...e))}here(t){
return this.floorOf(t)===this.floor}placeHere(t){return this.floorAt(t)===this.floor}refHere(t,e){return t.startsWith("n:")?this.here(Number(t.slice(2))):this.placeHere(
e)}get scale(){return 2**this.map.getZoom()}makeFloors(){let{floors:t}=this.house;this.floorBox.hidden=t.length<2,this.floorButtons=t.map(({name:e,level_m:s},o)=>{
let i={mousedown:w,click:()=>this.setFloor(o)};return l("button",{type:"button",class:"nv-floor",data:{floor:o},text:e,title:`${e}, ${k(s)}`,on:i})}),this.floorBox.
replaceChildren(...[...this.floorButtons].reverse()),this.markFloor()}setFloor(t){t!==null&&(this.floor=Math.max(0,Math.min(this.house.floors.length-1,t)),this.
markFloor(),this.draw())}markFloor(){this.plan.dataset.floor=String(this.floor);for(let[t,e]of this.floorButtons.entries())e.setAttribute("aria-pressed",String(
t===this.floor))}setMode(t){this.mode=t,this.box.dataset.mode=t;for(let[e,s]of Object.entries(this.modeButtons??{}))s.classList.toggle("nv-on",e===t);this.scene?.
turn(t!=="plan"),!(t==="plan"||this.scene)&&(this.scene=new kt(this.solid,this.doc,this.api,e=>this.pointAt(e)),this.scene.start(this.step))}makeTools(){let t=(e,s)=>_(
e,s,()=>{this.setMode(e),X($i,e),this.resize()},{tool:e});return this.modeButtons={plan:t("plan","Floor plan"),both:t("both","Plan and 3-D scene"),scene:t("scen\
e","3-D scene")},[...super.makeTools(),...kt.possible(this.api)?Object.values(this.modeButtons):[]]}wanted(){let t=super.wanted(),e=this.house.rooms.flatMap(({box_m:[
p,f,m,b]})=>[[f,p],[b,m]]),s=L.latLngBounds([...this.line(this.doc.nodes.ids.map((p,f)=>f)),...e]),o=L.latLngBounds(t),i=(p,f,m)=>Math.max(f,Math.min(m,p)),r=Math.
max(o.getNorth()-o.getSouth(),o.getEast()-o.getWest()),a=i(Kc*r,Vc,Xc),[c,h,d,u]=[s.getSouth(),s.getWest(),s.getNorth(),s.getEast()];return[[i(o.getSouth()-a,c,
d),i(o.getWest()-a,h,u)],[i(o.getNorth()+a,c,d),i(o.getEast()+a,h,u)]]}furniture(){return{...super.furniture(),floors:this.boxOf(this.floorBox)}}closest(){return Math.
log2(110)}nearZoom(){return Math.log2(45)}resize(){super.resize(),this.scene?.resize()}drawGround(){this.scaled=fo(this)}restyle(){for(let{layer:t,width_m:e,least:s}of this.
scaled??[])t.setStyle({weight:Math.max(s,e*this.scale)})}drawAround(t){let e=this.heading();typeof t.node=="number"&&this.here(t.node)&&e!==void 0&&go(t)&&wo(this,
t.node,e,yo(t))}showStep(t){this.step=t,this.plan.dataset.node=String(this.standing??""),this.scene?.showStep(t),this.heights.showStep(t);let e=this.floorOf(this.
standing);e!==null&&e!==this.floor?this.setFloor(e):this.paint()}seen(){let t=this.doc.steps[this.step-1];return t?ko(this,t,this.heading()):[]}candidates(t){let e=super.
candidates(t);if(e.length||typeof t.node!="number")return e;let s=this.metresOf(t.node),o=this.heading();return[...this.near.get(t.node)??[]].map(i=>{let r=this.
metresOf(i),a=o===void 0?{}:{angle_deg:ce(io(s,r)-o)},c=i===t.decision?.target?"chosen":"offered";return{node:i,state:c,distance_m:Math.hypot(...r.map((h,d)=>h-
s[d])),...a}})}offeredWord(){return"navigable"}tags(){return[...pe(this),...Pt(this),...Pt(this),...bo(this),...xo(this),...vo(this),...this.seenTags(),...So(this)]}seenTags(){
return super.seenTags().map(t=>({...t,text:t.text.replace(/_\d+$/,"")}))}names(){return Mo(this)}highlight(t){super.highlight(t),this.plan.dataset.lit=t.join(" "),
this.scene?.highlight(t.flatMap(e=>this.api.resolve(e,this.step).at))}around(t){let[e,s]=t;return L.latLngBounds([e-Ae,s-Ae],[e+Ae,s+Ae])}panTo(t){let[e]=this.api.
resolve(t,this.step).at;if(!e)return;let s=t.startsWith("n:")?this.floorOf(Number(t.slice(2))):this.floorAt(e);s!==this.floor&&this.setFloor(s),super.panTo(t)}pointAt(t){
this.api.hover(t?[t]:[]),this.highlight(t?[t]:[])}nodeFacts(t){let e=this.doc.steps[this.step-1],s=e?this.candidates(e).find(i=>i.node===t):void 0,o=this.house.
floors[this.floorOf(t)??0];return[this.stairs.has(t)?"on the stairs":o?.name??"",s?tn(this,s):""]}update(t){super.update(t),this.scene?.update(t)}setTheme(){super.
setTheme(),this.scene?.redraw()}destroy(){this.scene?.destroy(),super.destroy()}};var Yc="© OpenStreetMap contributors",Jc="https://tile.openstreetmap.org/{z}/{x}/{y}.png",Qc=15.5,th=16.5,eh=16.25,sh=18,vt=class extends bt{constructor(t,e,s){
super(t,e,s,{zoomSnap:.25,zoomDelta:.5,maxZoom:20.5,minZoom:1}),this.close=!1,this.tiles=null,this.begin()}drawGround(){let{color:t}=this.api,e=i=>this.on("grou\
nd",{smoothFactor:.6,...i});for(let i of this.doc.backdrop){let r=i.rings.map(Ai),a=t(`area-${i.kind}`)||t("area");i.line?this.add(L.polyline(r,e({color:a,weight:2})),
"ground"):this.add(L.polygon(r,e({color:a,weight:.6,fillColor:a,fillOpacity:1})),"ground")}let s=this.doc.streets.map(Ai);this.casing=this.add(L.polyline(s,e({color:t(
"street-edge"),lineCap:"round"})),"ground"),this.streets=this.add(L.polyline(s,e({color:t("street"),lineCap:"round"})),"ground");let o=e({radius:1.8,stroke:!1,fillColor:t(
"node"),fillOpacity:1});this.crossings=this.line(this.doc.nodes.crossings).map(i=>this.add(L.circleMarker(i,o),"ground")),this.dots=this.doc.pois.map(i=>{let r={
radius:3,weight:1,color:t("ground"),fillColor:t(i.light?"light":"poi"),fillOpacity:1};return this.add(L.circleMarker(this.spot(i.at),e(r)),"ground")})}restyle(){
let t=this.map.getZoom(),e=Math.max(1.6,Math.min(16,1.5*1.75**(t-14.4)));this.casing?.setStyle({weight:e+1.6}),this.streets?.setStyle({weight:e});for(let o of this.
crossings??[])o.setStyle({fillOpacity:t>=th?1:0});let s=t>=Qc&&this.layers.shows("pois")?1:0;this.dots?.forEach((o,i)=>{let r=(this.doc.pois[i].light?2:3)+Math.
max(0,t-17);o.setStyle({fillOpacity:s,opacity:s}).setRadius(r)})}*names(){let t=this.map.getZoom();if(!this.layers.shows("pois"))return;for(let s of this.api.named?.()??
[]){let o=this.doc.pois[s];o&&!o.light&&(yield{spot:this.spot(o.at),text:o.name,look:"nv-tag-name nv-tag-named",gap:6,weight:650})}if(t<eh)return;this.labels.keepFree(
this.doc.pois.map(s=>this.spot(s.at)));let e=new Set(this.seen().map(s=>O(s.name)));for(let s of this.doc.pois)s.light||!s.kind&&t<sh||e.has(O(s.name))||(yield{
spot:this.spot(s.at),text:s.name,look:"nv-tag-name",gap:6})}heading(){return super.heading()??this.bearing()}bearing(){if(this.step===0)return;let[t,e]=this.way(
H(this.doc.steps,this.step-1,this.end));if(!(!t||!e||t[0]===e[0]&&t[1]===e[1]))return Math.atan2((e[1]-t[1])*Math.cos(t[0]*Math.PI/180),e[0]-t[0])*180/Math.PI}follow(t){
if(!this.close||!t){super.follow(t);return}let s=[...this.way(H(this.doc.steps,this.step-1,this.end)),...this.line(t.observation?.visible??[])];s.length&&this.map.
fitBounds(L.latLngBounds(s).pad(.15),{padding:[40,40],maxZoom:18.5,duration:.3})}nodeFacts(t){let e=new Set(this.seen().filter(s=>s.node===t).map(s=>s.name));return[
this.doc.nodes.crossings.includes(t)?"intersection":"street node",e.size?`landmarks here: ${[...e].join(", ")}`:""]}makeTools(){return this.closeButton=_("close",
"Stay close to the agent",()=>this.toggleClose(),{tool:"close"}),this.tileButton=_("tiles","Map tiles from openstreetmap.org (needs the network)",()=>this.toggleTiles(),
{tool:"tiles"}),[...super.makeTools(),this.closeButton,this.tileButton]}toggleClose(){if(this.close=!this.close,this.closeButton?.classList.toggle("nv-on",this.
close),!this.close){this.fit();return}this.take(),this.follow(this.doc.steps[this.step-1])}toggleTiles(){this.tiles?(this.tiles.remove(),this.tiles=null):this.tiles=
L.tileLayer(Jc,{maxNativeZoom:19,maxZoom:21,opacity:.85}).addTo(this.map),this.tileButton?.classList.toggle("nv-on",this.tiles!==null),this.box.classList.toggle(
"nv-with-tiles",this.tiles!==null),this.drawCredit()}drawCredit(){let t=[this.doc.graph.attribution,this.tiles?Yc:null].filter(Boolean);this.credit.textContent=
[...new Set(t)].join(" · ")}};function Ai(n){let t=[];for(let e=0;e<n.length;e+=2)t.push([n[e],n[e+1]]);return t}var St=3e4,nh=14;function F(n,t,e){let s=e?.unplaced(t);if(s)return l("span",{class:"nv-unplaced",text:n,title:oh(`${n}: ${s}`)});let o=t.startsWith("n:")&&n.length>
nh,i={class:o?"nv-ref nv-id nv-cut":"nv-ref",text:n,data:{ref:t},tabindex:-1};return l("span",o?{...i,title:n}:i)}var oh=n=>`${yt(n)}.`;function mn(n,t,e){let s=l(
"button",{type:"button",class:"nv-more",text:`Show ${$(t)} more characters`,on:{click:()=>s.replaceWith(e())}});return n.append(" … ",s),n}function g(n,t){let e=document.
createDocumentFragment();for(let s of n.pieces(t.slice(0,St)))e.append(s.ref?F(s.text,s.ref,n):s.text);return t.length>St&&mn(e,t.length-St,()=>g(n,t.slice(St))),
e}function Oe(n,t){if(!t)return;let e=t.offsetTop-n.offsetTop,s=e+t.offsetHeight;e<n.scrollTop?n.scrollTop=e:s>n.scrollTop+n.clientHeight&&(n.scrollTop=Math.min(
e,s-n.clientHeight))}var Oi={entries:8,chars:120};function _i(n){try{return{value:JSON.parse(n)}}catch{return null}}function dt(n,t,e,s="$",o=0){if(n===null||typeof n!="object")return Ii(
n,t);let i=Array.isArray(n),r=i?n.map((p,f)=>[String(f),p]):Object.entries(n);if(!r.length)return l("span",{class:"nv-j-mute",text:i?"[]":"{}"});if(ih(n,r))return rh(
i,r,t);let a=e.get(s)??o<2,c=r.slice(0,4).map(([p])=>p),h=l("div",{class:"nv-j-body"}),d=()=>{if(!h.childElementCount)for(let[p,f]of r){let m=`${s}.${i?"*":p}`;
h.append(l("div",{class:"nv-j-row"},Ci(p,t),dt(f,t,e,m,o+1)))}};a&&d();let u=l("summary",{class:"nv-j-mute",text:i?`${r.length} items`:c.join(", ")});return ie(
{class:"nv-j"},u,h,a,p=>{e.set(s,p),p&&d()})}function Ci(n,t){let e=t.letter(n)??t.tokens.get(n);return l("span",{class:"nv-j-key"},e?F(n,e,t):n)}var ih=(n,t)=>t.
length<=Oi.entries&&t.every(([,e])=>e===null||typeof e!="object")&&JSON.stringify(n).length<=Oi.chars;function rh(n,t,e){let s=l("span",{class:"nv-j-short"});return t.
forEach(([o,i],r)=>{r&&s.append("  "),n||s.append(Ci(o,e)," "),s.append(Ii(i,e))}),s}function Ii(n,t){if(n==="")return l("span",{class:"nv-j-mute",text:'""'});if(typeof n!=
"string")return l("span",{class:"nv-j-num",text:String(n)});let e=t.letter(n)??t.tokens.get(n);return l("span",{class:"nv-j-str"},e?F(n,e,t):g(t,n))}function Ni({doc:n,step:t,go:e}){if(!n.skills)return null;let s=n.steps.map((i,r)=>{let a=i.skill===void 0?"no skill":n.skills?.[i.skill]?.name;return l("button",
{type:"button",class:r+1===t?"nv-skill-block nv-current":"nv-skill-block",title:`Step ${r+1}: ${a}`,"aria-label":`Step ${r+1}: ${a}`,style:{"background-color":N(
n,i.skill)??"transparent"},data:{step:r+1},on:{click:()=>e(r+1)}})}),o=ye(n.steps).map(i=>l("span",{class:"nv-chip"},l("i",{class:"nv-swatch",style:{"background\
-color":N(n,i)??"transparent"}}),n.skills?.[i]?.name??""));return l("div",{},l("div",{class:"nv-skill-strip"},s),l("div",{class:"nv-chips"},o))}function Ri(n,t){let{linker:e,doc:s}=t,o=n.items??[],i=o.map(d=>Pi(d.value)).filter(d=>d!==null),r=Math.max(...i,0),a=Math.min(...i,0),c=r-a||1,h=l("div",{class:"\
nv-bars"},o.map(d=>{let u=Pi(d.value),p=Fo(s,d.skill),f=u===null?null:{left:`${(Math.min(u,0)-a)/c*100}%`,width:`${Math.abs(u)/c*100}%`};return f&&p&&(f["backgr\
ound-color"]=p),l("div",{class:d.chosen?"nv-bar-row nv-chosen":"nv-bar-row"},l("span",{class:"nv-bar-label"},g(e,String(d.label??""))),l("span",{class:"nv-bar-t\
rack"},f?l("span",{class:"nv-bar",style:f}):null),l("span",{class:"nv-bar-value",text:u===null?"–":ct(u)}),d.note?l("span",{class:"nv-bar-note"},g(e,String(d.
note))):null)}));return l("div",{},n.hint?l("p",{class:"nv-hint"},g(e,String(n.hint))):null,h,n.note?l("p",{class:"nv-mute"},g(e,String(n.note))):null,n.ran?Ni(
t):null)}function Pi(n){let t=n==null?Number.NaN:Number(n);return Number.isFinite(t)?t:null}function _e(n,t){let[e,s]=[Di(n),Di(t)];if(e.length*s.length>1200*1200)return[{kind:"new",text:t}];let o=ah(e,s),i=[],[r,a]=[0,0];for(;r<e.length||a<s.length;)r<
e.length&&a<s.length&&e[r]===s[a]?(gn(i,"same",s[a]),r+=1,a+=1):a<s.length&&(r===e.length||o[r][a+1]>=o[r+1][a])?(gn(i,"new",s[a]),a+=1):(gn(i,"gone",e[r]),r+=1);
return i}var Di=n=>n.match(/\s*\S+|\s+$/g)??[];function ah(n,t){let e=Array.from({length:n.length+1},()=>new Array(t.length+1).fill(0));for(let s=n.length-1;s>=
0;s-=1)for(let o=t.length-1;o>=0;o-=1)e[s][o]=n[s]===t[o]?e[s+1][o+1]+1:Math.max(e[s+1][o],e[s][o+1]);return e}function gn(n,t,e){let s=n.at(-1);s?.kind===t?s.text+=
e:n.push({kind:t,text:e})}function Ht(n,t){return n==null?"–":lh(n)?dh(n,t):ch(n)?yn(n.former,n.text):typeof n=="object"?dt(n,t,new Map):g(t,String(n))}function lh(n){return typeof n==
"object"&&n!==null&&typeof n.mark?.text=="string"}function ch(n){let{text:t,former:e}=n??{};return typeof t=="string"&&typeof e=="string"}var hh={new:"ins",gone:"\
del",same:"span"};function yn(n,t){let e=n===t?[]:_e(n,t);return l("span",{class:"nv-changes"},e.length?e.map(({kind:s,text:o})=>l(hh[s],{text:o})):"the same")}
function dh({mark:n,wrong:t},e){let{text:s,start:o,end:i}=n;if(typeof o!="number"||typeof i!="number")return l("span",{class:t?"nv-wrong":""},g(e,s));let r=[s.slice(
0,o),s.slice(o,i),s.slice(i)].map(a=>g(e,a));return l("span",{},r[0],l("mark",{class:"nv-marked"},r[1]),r[2])}function wn(n,t,e){if(!Array.isArray(t)||!t.length)
return null;let s=t.map(o=>typeof o=="object"&&o?Object.values(o).join(" · "):String(o));return l("div",{class:"nv-chips",title:n},s.map(o=>l("span",{class:"nv\
-chip",title:o},g(e,o))))}function Bi(n,{linker:t}){let e=n.directions??[];return l("div",{class:"nv-directions"},e.map(s=>l("section",{},l("h5",{text:String(s.label??"")}),s.text?l("p",
{},g(t,String(s.text))):null,wn("objects",s.objects,t),wn("candidates",s.candidates,t))))}var G={width:320,height:220,margin:20,labels:60};function zi(n,t){let e=new Map(t.nodes.ids.map((u,p)=>[u,p])),s=n.map((u,p)=>uh(u)??ph(e.get(u.id),t)??fh(p,n.length)),
o=s.map(u=>u[0]),i=s.map(u=>u[1]),[r,a]=[Math.min(...o),Math.min(...i)],c=G.width-G.margin-G.labels,h=G.height-2*G.margin,d=Math.min(c/(Math.max(...o)-r||1),h/(Math.
max(...i)-a||1));return new Map(n.map((u,p)=>[u.id,[G.margin+(s[p][0]-r)*d,G.margin+(s[p][1]-a)*d]]))}function uh({x:n,y:t}){return typeof n=="number"&&typeof t==
"number"&&Number.isFinite(n)&&Number.isFinite(t)?[n,-t]:null}function ph(n,t){if(n===void 0)return null;let[e,s]=Q(t,n);return t.frame==="geo"?[s*Math.cos(e*Math.
PI/180),-e]:[e,-s]}function fh(n,t){let e=2*Math.PI*n/t;return[Math.sin(e),-Math.cos(e)]}function Hi(n,{linker:t,doc:e}){let s=(n.nodes??[]).map(gh),o=zi(s,e),i=y("svg",{viewBox:`0 0 ${G.width} ${G.height}`,class:"nv-graph",role:"img"});for(let h of n.
links??[]){let[d,u]=Array.isArray(h)?h:[h.source??h.from,h.target??h.to],p=o.get(String(d)),f=o.get(String(u));p&&f&&i.append(y("line",{x1:p[0],y1:p[1],x2:f[0],
y2:f[1]}))}let r=(n.way_back??[]).map(h=>o.get(String(h))).filter(h=>h!==void 0);r.length>1&&i.append(y("polyline",{class:"nv-walk-back",points:r.map(h=>h.join(
",")).join(" ")}));for(let h of s)i.append(yh(h,o.get(h.id)??[0,0],t));let a=mh(Array.isArray(n.states)?n.states:[],s),c=n.note?l("p",{class:"nv-panel-note",text:String(
n.note)}):null;return a||c?l("div",{},c,i,a):i}function mh(n,t){let e=n.filter(s=>t.some(o=>o.state===s));return e.length?l("div",{class:"nv-panel-key"},e.map(s=>l(
"span",{},l("i",{class:`nv-key nv-key-${Te(s).slice(3)}`}),String(s)))):null}var gh=n=>typeof n=="object"&&n?{...n,id:String(n.id)}:{id:String(n)};function yh(n,[
t,e],s){let o=s.tokens.get(n.id),i=y("circle",{cx:t,cy:e,r:n.current?7:5,class:n.chosen||n.current?"nv-chosen":n.visited?"nv-visited":n.frontier?"nv-frontier":""}),
r=y("text",{x:t+8,y:e+4}),a=typeof n.score=="number"?` ${Math.round(n.score*100)/100}`:"";r.textContent=String(n.label??le(n.id))+a;let c=y("g",{class:[o?"nv-re\
f":"",Te(n.state)].filter(Boolean).join(" ")},...wh(n,t,e),i,r);if(n.note){let h=y("title",{});h.textContent=`${r.textContent}: ${n.note}`,c.append(h)}return o&&
(c.dataset.ref=o),c}function wh({ring:n},t,e){if(typeof n!="number"||!(n>0))return[];let s=9.5,o=2*Math.PI*s,i=y("title");i.textContent=`stop ${Math.round(n*100)/
100}`;let r=`${o*Math.min(n,1)} ${o}`;return[y("circle",{cx:t,cy:e,r:s,class:"nv-ring","stroke-dasharray":r},i)]}function Fi(n,{linker:t}){let e=Array.isArray(n.items)?n.items:Object.entries(n.items??{});return l("dl",{class:"nv-keyvalue"},e.flatMap(([s,o])=>[l("dt",{},g(t,
String(s))),l("dd",{},Ht(o,t))]))}function ji(n,t){let e=t.flatMap(({span:r})=>Array.isArray(r)&&r[0]<r[1]?[r]:[]),s=[...new Map(e.map(r=>[r[0],r])).values()].sort((r,a)=>r[0]-a[0]),o=[],i=0;for(let[
r,a]of s)r<i||(r>i&&o.push({text:n.slice(i,r),start:i,span:null}),o.push({text:n.slice(r,a),start:r,span:[r,a]}),i=a);return i<n.length&&o.push({text:n.slice(i),
start:i,span:null}),o}function Wi({text:n,start:t},e){let s=[],o=t;for(let{relation:i,span:r}of e)!Array.isArray(r)||r[0]<o||r[1]>t+n.length||(r[0]>o&&s.push({text:n.
slice(o-t,r[0]-t),relation:null}),s.push({text:n.slice(r[0]-t,r[1]-t),relation:i}),o=r[1]);return o<t+n.length&&s.push({text:n.slice(o-t),relation:null}),s}var kh={rules:"by rules",model:"by a model",log:"as the log says",off:"not reordered"};function qi(n,{linker:t}){let e=String(n.original??""),s=n.parts??[],o=n.
relations??[],r=ji(e,s).map(u=>l("span",{class:u.span?"nv-source":"nv-between",data:u.span?{from:u.span[0]}:{}},Wi(u,o).map(({text:p,relation:f})=>f?l("mark",{class:"\
nv-cue",title:f,text:p}):g(t,p)))),a=s.map(u=>l("li",{class:u.moved?"nv-moved":u.span?"":"nv-added",title:u.moved?"done earlier or later than it is said":u.span?
"":"not in the original",data:u.span?{from:u.span[0]}:{}},(u.words??[[u.text,!1]]).flatMap(([p,f])=>[f?l("em",{class:"nv-fresh",text:p}):g(t,p)," "]))),c=y("svg",
{class:"nv-order-lines","aria-hidden":"true"}),h=l("div",{class:"nv-reordered"},l("div",{class:"nv-order-side"},l("h5",{text:"Original"}),l("p",{},r)),c,l("div",
{class:"nv-order-side"},l("h5",{text:`In order, ${kh[n.by]??String(n.by??"")}`}),l("ol",{},a)));new ResizeObserver(()=>bh(h,c)).observe(h);let d=o.map(({cue:u,relation:p})=>l(
"span",{class:"nv-chip",text:`${u}: ${p}`}));return l("div",{},h,d.length?l("div",{class:"nv-chips",title:"temporal relations"},d):null)}function bh(n,t){let e=t.
getBoundingClientRect(),s=[...n.querySelectorAll("li[data-from]")].flatMap(o=>{let i=o.dataset.from??"",r=n.querySelector(`.nv-source[data-from="${CSS.escape(i)}\
"]`);if(!r)return[];let[a,c]=[r.getClientRects(),o.getBoundingClientRect()],h=a[a.length-1]??r.getBoundingClientRect(),d=[h.top+h.height/2-e.top,c.top+Math.min(
c.height,20)/2-e.top],u=o.classList.contains("nv-moved")?"nv-order-line nv-moved":"nv-order-line",[p,f]=[e.width,4];return[y("path",{class:u,d:`M0,${d[0]} C${p/
2},${d[0]} ${p/2},${d[1]} ${p-f},${d[1]}`}),y("path",{class:`${u} nv-order-head`,d:`M${p-f-3},${d[1]-f} L${p},${d[1]} L${p-f-3},${d[1]+f}`})]});t.replaceChildren(
...s)}function Ui(n,{linker:t}){let e=n.columns??[],s=typeof n.wide=="number"?n.wide:-1,o=l("tr",{},e.filter((c,h)=>h!==s).map(c=>l("th",{},g(t,String(c))))),i=(n.rows??
[]).flatMap((c,h)=>{let d=Array.isArray(c)?c:e.map(m=>c[m]),u=[h===n.chosen?"nv-chosen":"",d[s]?"nv-over":""].filter(Boolean).join(" "),p=d.filter((m,b)=>b!==s).
map(m=>vh(m,t)),f=l("tr",{class:u||void 0},p);return d[s]?[f,xh(d[s],p.length,u,t)]:[f]}),r=n.note?l("p",{class:"nv-panel-note"},g(t,String(n.note))):null,a=l("\
table",{class:"nv-table"},l("thead",{},o),l("tbody",{},i));return l("div",{},r,l("div",{class:"nv-scroll-x"},a))}function xh(n,t,e,s){let o=l("td",{colspan:t},Ht(
n,s));return l("tr",{class:e.replace("nv-over","nv-wide")},o)}function vh(n,t){return typeof n=="number"?l("td",{class:"nv-num",text:ct(n)}):l("td",{},Ht(n,t))}var Sh=/^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/,Mh=/^#{1,6}\s+(.*)$/,Th=/^\*\*([^*]+)\*\*:?$/,Eh=/\*\*(.+?)\*\*|`([^`]+)`|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;function Ce(n){
let t=[],e=null,s=[],o=null,i=()=>{s.length&&t.push({kind:"paragraph",text:s.join(" ")}),s=[]};for(let r of n.split(`
`)){let a=r.trim();if(o){a.startsWith("```")?(t.push({kind:"code",text:o.join(`
`)}),o=null):o.push(r);continue}let c=Sh.exec(r),h=Mh.exec(a)??Th.exec(a);if(!c&&a&&(e=null),a.startsWith("```"))i(),o=[];else if(h)i(),t.push({kind:"heading",text:h[1].
replaceAll("**","")});else if(c){i();let d=!!c[1];(!e||e.ordered!==d)&&(e={kind:"list",ordered:d,start:Number(c[1]??1),items:[]},t.push(e)),e.items.push(c[2])}else
a?s.push(a):i()}return i(),o&&t.push({kind:"code",text:o.join(`
`)}),t}function Ie(n){let t=[],e=0;for(let s of n.matchAll(Eh))s.index>e&&t.push({kind:"text",text:n.slice(e,s.index)}),s[1]?t.push({kind:"strong",text:s[1]}):s[2]?
t.push({kind:"code",text:s[2]}):t.push({kind:"emphasis",text:s[3]}),e=s.index+s[0].length;return e<n.length&&t.push({kind:"text",text:n.slice(e)}),t}function et(n,t){let e=4*St,s=l("div",{class:"nv-prose"});for(let o of Ce(n.slice(0,e)))s.append($h(o,t));return n.length>e&&mn(s,n.length-e,()=>et(n.slice(e),t)),
s}function $h(n,t){if(n.kind==="list"){let e=n.items.map(s=>l("li",{dir:"auto"},Gi(s,t)));return n.ordered?l("ol",{start:n.start},e):l("ul",{},e)}return n.kind===
"code"?l("pre",{},g(t,n.text)):l(n.kind==="heading"?"h4":"p",{dir:"auto"},Gi(n.text,t))}function Gi(n,t){let e=document.createDocumentFragment();for(let s of Ie(
n)){let o=s.kind==="code"?t.letter(s.text):void 0,i=o?F(s.text,o,t):g(t,s.text);s.kind==="text"?e.append(i):e.append(l(s.kind==="strong"?"strong":s.kind==="code"?
"code":"em",{},i))}return e}function Ki(n,{linker:t}){let e=String(n.text??"");return typeof n.former!="string"||n.former===e?et(e,t):l("p",{},yn(n.former,e))}var Vi={bars:Ri,directions:Bi,graph:Hi,keyvalue:Fi,reordered:qi,table:Ui,text:Ki};function Xi(n,t){let e=()=>dt(n.data,t.linker,t.folds,`panel.${n.title}`),s=Object.
hasOwn(Vi,n.kind)?Vi[n.kind]:e,o;try{o=s(n.data,t)}catch{o=e()}return l("section",{class:"nv-panel",data:{kind:n.kind}},o)}var Lh="A hint: what was not done is not yet shown to be right in 95 of 100 walks of this kind",Ah=new Set(["error","budget","limit"]),Zi=new Set(["NE","SPL"]),
kn=10,Ne=class{constructor(t,e,s){this.player=t,this.headBox=e,this.noteBox=s}show(){let{doc:t,options:e}=this.player,s=t.compare&&t.label?this.runs():this.facts();
this.headBox.hidden=e.header===!1,this.headBox.replaceChildren(l("h2",{text:t.title,title:t.title}),l("span",{class:"nv-facts",text:s,title:s}),...this.figures()),
this.showNotes()}facts(){let{doc:t}=this.player;return[...new Set([t.run,t.navigator,t.eyes,...Nh(t.settings),t.model].filter(Boolean))].join("  ·  ")}runs(){let{
doc:t}=this.player,e=(o,i)=>i?`${o} (${i})`:o,s=[e(t.label,t.eyes),e(t.compare?.label,t.compare?.eyes)];return s.push(...(t.further??[]).map(o=>o.label)),`${s.length}\
 runs: ${s.join("  ·  ")}`}showNotes(){let{doc:t,linker:e}=this.player,s=[...t.notes];t.end&&Ah.has(t.end.status)&&s.push(`The run ended early (${t.end.status}\
)${t.end.reason?`: ${t.end.reason}`:"."}`);let o=t.divergence?.sentence,i=()=>l("p",{class:"nv-note"},l("span",{},g(e,o??"")));this.noteBox.replaceChildren(...o?
[t.divergence?.step?this.divergence(o):i()]:[],...this.player.why.rows(),...s.map(r=>l("p",{class:"nv-note",text:r})))}divergence(t){let e={mousedown:w,click:()=>this.
player.toDivergence()},s=this.player.doc.divergence?.grade;return l("button",{type:"button",class:`nv-note nv-note-divergence${s?" nv-act":""}`,title:"Go to thi\
s step (d)",on:e},l("span",{class:"nv-glyph nv-mark-divergence"}),s==="hint"?l("span",{class:"nv-hint-mark",text:"hint",title:Lh}):null,l("span",{},g(this.player.
linker,t)))}figures(){let{head:t}=this.player.doc,e=t.filter(({name:r})=>Zi.has(r)),s=e.length?e:t.slice(0,Zi.size),o=t.filter(r=>!s.includes(r));return[this.outcome(),
...s.map(r=>this.figure(r)),...this.further(o)].filter(r=>r!==null)}further(t){if(!t.length)return[];let e=l("div",{class:"nv-figures",popover:"auto"},t.map(o=>this.
figure(o))),s=l("button",{type:"button",class:"nv-further",text:"Figures",title:"The other figures"});return s.popoverTargetElement=e,e.addEventListener("before\
toggle",()=>{let{right:o,bottom:i}=s.getBoundingClientRect();e.style.right=`${document.documentElement.clientWidth-o}px`,e.style.top=`${i+4}px`}),[s,e]}outcome(){
let{doc:t}=this.player;if(t.running)return l("span",{class:"nv-outcome nv-live",text:"running"});if(t.unanswered){let r=`no answer: ${t.unanswered}`;return l("s\
pan",{class:"nv-outcome",title:_h,text:r})}let{SR:e,SR_rec:s}=t.metrics,o=bn(t.metrics);if(o===null)return Ih(t)?l("span",{class:"nv-outcome",title:Oh,text:"not\
 finished"}):null;let i=typeof e=="number"?"":typeof s=="number"?" as recorded":" (estimated)";return o>=1?l("span",{class:"nv-outcome nv-success",text:`✓ succe\
ss${i}`}):l("span",{class:"nv-outcome nv-failure",text:`✕ failure${i}`})}figure({name:t,label:e,help:s,metres:o=!1}){let{metrics:i,compare:r}=this.player.doc,
a=this.player.doc.further?.length?void 0:r?.metrics[t],[c,h]=[this.valueText(i[t],o),this.valueText(a??null,o)],d=this.rerun()&&h===c;return l("span",{class:"nv\
-figure",title:s},l("span",{text:e}),l("b",{text:c}),a==null||d?null:l("i",{text:`${this.rerun()?"was":"vs"} ${h}`}))}rerun(){let{doc:t}=this.player,{compare:e}=t;
return!e||t.navigator!==e.navigator||t.model!==e.model?!1:t.episode.instruction!==e.instruction||!!(t.forked_from??e.forked_from)}valueText(t,e){if(!e)return $(
t,2);let s=this.player.doc.episode.success_radius_m<kn;return k(t,s?2:(t??0)<100?1:0)}},bn=({SR:n,SR_rec:t,SR_est:e})=>n??t??e??null,Oh="The walk ended in the m\
iddle: it is neither a success nor a failure, and has no score",_h="The model's service did not answer: that is no choice of the agent, and counts apart from it\
s failures",Ch=["stopped","budget"];function Ih({source:n,steps:t,end:e}){return n===void 0&&t.length>0&&(!e||Ch.includes(e.status))}function Nh(n){return Object.
entries(n??{}).filter(([,e])=>typeof e=="string").flatMap(([e,s])=>{let o=String(s);return o.includes("(stand-in)")?[`${e}=${o}`]:[]})}var z=Math.PI/180,Yi=111320,Ph=1.5,Ft=60,ut=n=>((n+180)%360+360)%360-180;function Pe(n,t){let e=Math.cos(t*z);return[Math.sin(n*z)*e,Math.cos(n*z)*e,Math.sin(t*
z)]}function Re({heading:n,elevation:t}){let[e,s]=[Math.sin(n*z),Math.cos(n*z)],[o,i]=[Math.sin(t*z),Math.cos(t*z)];return[[s,-e,0],[-e*o,-s*o,i],[e*i,s*i,o]]}var xn=(n,t)=>n[0]*
t[0]+n[1]*t[1]+n[2]*t[2];function De(n,t,e){let[s,o,i]=Re(n),r=xn(i,e);if(r<1e-6)return null;let a=Math.tan(n.field*z/2);return{x:(xn(s,e)/r/(a*t)+1)/2,y:(1-xn(
o,e)/r/a)/2}}function Be(n,t,e){let[s,o]=[Q(n,t),Q(n,e)];return n.frame!=="geo"?[o[0]-s[0],o[1]-s[1],(o[2]??0)-(s[2]??0)]:[(o[1]-s[1])*Yi*Math.cos(s[0]*z),(o[0]-
s[0])*Yi,0]}function Tt(n,t,e){let[s,o,i]=Be(n,t,e),r=Math.hypot(s,o);return{heading:(Math.atan2(s,o)/z+360)%360,elevation:Math.atan2(i-Ph,Math.max(r,.1))/z,far:Math.
hypot(r,i)}}function jt(n,t){let e=t===void 0?-1:n.reference.indexOf(t),s=e<0?void 0:n.reference[e+1];return typeof s=="number"?s:void 0}function vn(n){return n.
path.find(e=>e!==n.node)??n.decision?.target}function ze(n,t){let{node:e}=t;if(typeof e!="number")return[];let[s,o]=[vn(t),jt(n,e)],i=new Map,r=(a,c)=>{if(typeof a!=
"number"||a===e||i.has(a))return;let h=n.nodes.ids[a];i.set(a,{node:a,label:h,state:"other",reference:a===o,...Tt(n,e,a),...c})};for(let a of t.observation?.candidates??
[]){let h={state:a.node===s&&a.state==="offered"?"chosen":a.state,label:a.label??a.direction??(n.nodes.ids[Number(a.node)]||"")};a.heading_deg!==void 0&&(h.heading=
a.heading_deg),r(a.node,h)}return r(s,{state:"chosen"}),r(o,{}),[...i.values()]}var sr=25,Rh=5,Sn=20,nr=50,qt=150,Dh=2,Wt=["went straight on","bore","turned","turned back","kept"],Ji=["goes straight on","bears","turns","turns back","keeps"];
function Fe(n,t){let e=n.steps[t],s=En(e.path);if(s.length<2||s.length<Hh(e.path))return null;let o=zh(n,t),i=o===null?null:Ut(o,K(n,s)),r=ir(n,s),a=r&&o!==null?
Ut(o,K(n,r)):null,c=n.frame!=="geo"||n.nodes.crossings.includes(s[0]);if(i!==null&&!c&&!r&&Math.abs(i)<=qt)return{...tr(n,s,"went on"),route:Qi(n,s)};let[h,d]=i===
null?[`set out ${er(K(n,s))}`,""]:or(i,a),u=r&&o===null?`goes ${er(K(n,r))}`:d;return{...tr(n,s,h),route:u||Qi(n,s)}}function Qi(n,t){let{reference:e}=n,s=new Set(
e.map((h,d)=>`${h} ${e[d+1]}`)),o=0;for(;o<t.length-1&&s.has(`${t[o]} ${t[o+1]}`);)o+=1;if(o===0&&e.at(-1)===t[0])return"ends here";if(o===0||o===t.length-1)return"";
let i=`after ${k(Tn(n,t.slice(0,o+1)),0)}`,r=ir(n,t.slice(o));if(!r)return e.at(-1)===t[o]?`ends ${i}`:"";let a=K(n,t.slice(0,o+1).reverse())+180,[,c]=or(Ut(a,K(
n,t.slice(o))),Ut(a,K(n,r)));return`${c} ${i}`}function tr(n,t,e){let s=n.frame==="geo"?Bh(n,t):[];return{did:[e,...s].join(", then "),metres:Tn(n,t)}}function or(n,t){
if(t===null)return[He(n,Wt),""];let[e,s]=[He(n,Wt),He(t,Ji)];if(He(t,Wt)!==e)return[e,s];let[o,i]=n<t?["left","right"]:["right","left"];if(Math.abs(n)<=Sn)return[
`${Wt[4]} ${o}`,`${Ji[4]} ${i}`];let r=Math.abs(n)-Math.abs(t);return e.startsWith(`${Wt[2]} `)&&Math.abs(n)<=qt&&Math.abs(r)>=Sn?r>0?[e.replace(" "," sharp "),
s]:[e,s.replace(" "," sharp ")]:[e,`takes another way ${Math.abs(t)>qt?"back":`to the ${Mn(t)}`}`]}function He(n,[t,e,s,o]){let i=Math.abs(n);return i<=Sn?t:i>qt?
o:`${i<nr?e:s} ${Mn(n)}`}var Mn=n=>n<0?"left":"right";function ir(n,t){let{reference:e}=n,s=e.flatMap((i,r)=>i===t[0]&&r<e.length-1?[r]:[]);if(!s.length||s.some(
i=>e[i+1]===t[1]))return null;let o=En(e.slice(s[0]));return o.length>1?o:null}function Bh(n,t){let e=new Set(n.nodes.crossings),s=[];for(let o=1;o<t.length-1;o++){
let i=Ut(K(n,t.slice(0,o+1).reverse())+180,K(n,t.slice(o)));e.has(t[o])&&Math.abs(i)>=nr&&s.push(Math.abs(i)>qt?"back":Mn(i))}return s.slice(0,Dh)}function zh(n,t){
let{heading_deg:e,node:s}=n.steps[t];if(n.frame!=="geo"&&e!==void 0)return e;let o=typeof s=="number"?[s]:[];for(let i=t-1;i>=0&&o.length&&Tn(n,o)<sr;i--)o.push(
...En([...n.steps[i].path].reverse()).filter((r,a,c)=>r!==(c[a-1]??o.at(-1))));return o.length>1?K(n,o)+180:e??null}function K(n,t){let e=n.frame==="geo"?sr:0,[
s,o,i,r]=[0,1,0,0];for(;o<t.length;o++){let[a,c]=Be(n,t[o-1],t[o]),h=Math.hypot(a,c),d=e&&s+h>e?(e-s)/h:1;if([i,r,s]=[i+a*d,r+c*d,s+h],s>0&&(s>=e||s>=Rh&&n.nodes.
crossings.includes(t[o])))break}return Math.atan2(i,r)*180/Math.PI}function Tn(n,t){let e=0;for(let s=1;s<t.length;s++)e+=Math.hypot(...Be(n,t[s-1],t[s]));return e}
var Ut=(n,t)=>((t-n+180)%360+360)%360-180,er=n=>["north","northeast","east","southeast","south","southwest","west","northwest"][Math.round((n%360+360)%360/45)%8];
function En(n){let t=[];for(let e of n)typeof e=="number"&&e!==t.at(-1)&&t.push(e);return t}var Hh=n=>n.filter((t,e)=>t!==n[e-1]).length;var rr="nv-differs",Fh=.35,ar=/\b(?:left|right|straight|ahead|back|stop|first|second|third|fourth|north|south|east|west)\b/gi,je=class{constructor(t){this.player=
t,this.thoughts=[]}start(){let{doc:t,map:e,step:s}=this.player;if(s!==t.compare?.parting)return;let o=(t.compare.apart??[]).map(([a])=>a),[i,...r]=o.flatMap(a=>typeof a==
"number"?[tt(t,a).at[0]]:[]);i&&e.closeUp(i,r)}section(t){let e=this.columns(t).map((s,o)=>this.column(s,o));return this.thoughts=e.flatMap(s=>[...s.querySelectorAll(
".nv-mind")]),setTimeout(()=>this.mark()),l("section",{class:"nv-beside"},e)}columns(t){let{doc:e,colors:s}=this.player,o=e.compare,i=t?.calls.at(-1),r=t?.sub_goal===
void 0?void 0:t.plan?.[t.sub_goal]?.[0],a={words:lr(e,this.player.step-1),goal:r,thoughts:i?.thoughts,reply:i?.reply,reason:t?.decision?.reason},c=this.player.step===
0?0:o.partners?.[this.player.step-1]??this.player.step,h=o.steps[c-1]?.texts;return[{label:e.label??e.navigator,tint:s.get("agent"),metrics:e.metrics,step:this.
player.step,steps:e.steps.length,said:t?a:null},{label:o.label,tint:s.get("other"),metrics:o.metrics,step:c,steps:o.steps.length,said:h?{...h,goal:h.sub_goal,words:lr(
{...e,steps:o.steps},c-1)}:null}]}column({label:t,tint:e,metrics:s,step:o,steps:i,said:r},a){let{player:c}=this,h={mousedown:w,click:()=>c.options.onAction?.("r\
eplay",o,void 0,a)},d=(m,...b)=>[l("h3",{text:m}),...b],u=[];if(r?.words||r?.reason){let m=r.words?l("p",{class:"nv-turns",text:r.words}):null,b=r.reason?l("p",
{class:"nv-reason"},g(c.linker,r.reason)):null;u.push(...d("Decision",...[m,b].filter(Boolean)))}if(r?.thoughts!==void 0&&u.push(...d("Thoughts",l("div",{class:"\
nv-mind"},et(c.text(r.thoughts),c.linker)))),r?.reply!==void 0&&u.push(...d("Reply",l("pre",{class:"nv-code"},g(c.linker,c.text(r.reply))))),r?.goal!==void 0&&c.
text(r.goal)!==c.doc.episode.instruction&&u.push(...d("Sub-goal",l("p",{},g(c.linker,c.text(r.goal))))),!u.length){let m=o===0?"Before the first step.":"This ru\
n logs nothing for this step.";u.push(l("p",{class:"nv-mute",text:i?m:"This run logs no steps."}))}let p={type:"button",class:"nv-small",title:`Open this step o\
f ${t} in Replay`,on:h},f=l("header",{},l("i",{class:"nv-swatch",style:{"background-color":e}}),l("b",{text:t,title:t}),this.outcome(s),l("span",{class:"nv-mute",
text:i?`step ${o} of ${i}`:""}),c.options.onAction?l("button",{...p,text:"Replay"}):null);return l("article",{"aria-label":t},f,u)}outcome(t){let e=bn(t);if(e===
null)return null;let s=this.player.doc.episode.success_radius_m<kn,{NE:o}=t,i=typeof o=="number"?` ${k(o,s?2:0)}`:"",r=e>=1,a=`${r?"Success":"Failure"}${i?`: it\
 ended${i} from the goal`:""}`;return l("span",{class:`nv-outcome ${r?"nv-success":"nv-failure"}`,title:a,text:`${r?"✓":"✕"}${i}`})}mark(){let{highlights:t}=CSS;
if(!t)return;let[e,s]=this.thoughts;!e||!s?t.delete(rr):t.set(rr,new Highlight(...cr(e,s),...cr(s,e)))}};function lr(n,t){let e=n.steps[t]?.path.length>1?Fe(n,t):
null;if(!e)return"";let s=e.route?`; the route ${e.route}`:"";return`${yt(e.did)}, ${k(e.metres,0)}${s}.`}function cr(n,t){let[e,s]=[n.textContent??"",t.textContent??
""],o=_e(s,e),i=o.reduce((a,{kind:c,text:h})=>a+(c==="same"?h.length:0),0),r=[];if(i<Fh*Math.max(e.length,s.length)){let a=new Set(s.toLowerCase().match(ar));for(let{
0:c,index:h}of e.matchAll(ar))a.has(c.toLowerCase())||r.push([h,h+c.length])}else{let a=0;for(let{kind:c,text:h}of o)c==="new"&&r.push([a+h.length-h.trimStart().
length,a+h.length]),c!=="gone"&&(a+=h.length)}return r.map(([a,c])=>jh(n,a,c))}function jh(n,t,e){let s=document.createRange(),o=document.createTreeWalker(n,NodeFilter.
SHOW_TEXT),i=0,r=!1;for(let a=o.nextNode();a;a=o.nextNode()){let{length:c}=a;if(!r&&t<i+c&&(s.setStart(a,t-i),r=!0),r&&e<=i+c){s.setEnd(a,e-i);break}i+=c}return s}var Wh=512,hr=1024,qh=4096,Uh=[1,0,0,0,0,1,0,-1,0],$n=4286611584;async function dr(n,t){let e=n.kind==="panorama"||n.pictures.length===1?qh:hr,s=n.pictures.map(
i=>i===null?null:t(i,e));await Promise.all(s.map(i=>i?.decode().catch(()=>{})));let o=s.map(i=>i?.naturalWidth?i:null);return o.some(Boolean)?n.kind==="cube"?Gh(
o,n.rotation??[1,0,0,0,1,0,0,0,1]):n.kind==="panorama"?Vh(We(o[0]),n.heading_deg??0):Xh(o.map(i=>i&&We(i)),n.field_deg??Ft):null}function We(n,t,e){let[s,o,i,r]=t??
[0,0,n?.naturalWidth??1,n?.naturalHeight??1],[a,c]=e?[e,e]:[i,r],d=new OffscreenCanvas(a,c).getContext("2d",{willReadFrequently:!0});return n&&d.drawImage(n,s,o,
i,r,0,0,a,c),{width:a,height:c,at:new Uint32Array(d.getImageData(0,0,a,c).data.buffer)}}function Gh(n,t){let e=n.length===1?n[0]:null,s=e?.naturalHeight??Math.max(
...n.map(c=>c?.naturalHeight??0)),o=Math.min(s,hr),i=[0,1,2,3,4,5].map(c=>e?We(e,[c*s,0,s,s],o):We(n[c],[0,0,n[c]?.naturalWidth??1,n[c]?.naturalHeight??1],o)),r=t,
a=[-r[0],-r[3],-r[6],-r[1],-r[4],-r[7],-r[2],-r[5],-r[8]];return{size:o,faces:i.map(({at:c})=>c),turn:a}}function ur(n){let t=Wh,e=Array.from({length:6},(s,o)=>{
let i=new Uint32Array(t*t);for(let r=0;r<t;r++){let a=2*(r+.5)/t-1;for(let c=0;c<t;c++){let[h,d,u]=Kh(o,2*(c+.5)/t-1,a);i[r*t+c]=n(h,-u,d)}}return i});return{size:t,
faces:e,turn:Uh}}function Kh(n,t,e){return n===0?[t,1,e]:n===1?[t,-e,1]:n===2?[1,-e,-t]:n===3?[-t,-e,-1]:n===4?[-1,-e,t]:[t,-1,-e]}function Vh({width:n,height:t,
at:e},s){let o=s*Math.PI/180;return ur((i,r,a)=>{let c=(Math.atan2(i,r)-o)/(2*Math.PI)+.5,h=Math.floor((c-Math.floor(c))*n),d=Math.floor((.5-Math.atan2(a,Math.hypot(
i,r))/Math.PI)*t);return e[Math.min(t-1,Math.max(0,d))*n+Math.min(h,n-1)]})}function Xh(n,t){let e=Math.tan(t*Math.PI/360),s=n.map((o,i)=>Re({heading:30*(i%12),
elevation:30*(Math.floor(i/12)-1),field:t}));return ur((o,i,r)=>{let a=Math.round(Math.atan2(o,i)*6/Math.PI+12)%12,c=Math.atan2(r,Math.hypot(o,i))*180/Math.PI,d=12*
(c<-15?0:c>15?2:1)+a,u=n[d]??n[12+a];if(!u)return $n;let[p,f,m]=s[n[d]?d:12+a],b=m[0]*o+m[1]*i+m[2]*r;if(b<=0)return $n;let S=(p[0]*o+p[1]*i+p[2]*r)/b/(e*(u.width/
u.height)),T=(f[0]*o+f[1]*i+f[2]*r)/b/e;if(S<=-1||S>=1||T<=-1||T>=1)return $n;let E=Math.floor((S+1)/2*u.width);return u.at[Math.floor((1-T)/2*u.height)*u.width+
E]})}function pr({size:n,faces:t,turn:e},s,o,i,r){let a=Math.tan(s.field*Math.PI/360),[c,h,d]=Re(s).map(([b,S,T])=>[0,3,6].map(E=>e[E]*b+e[E+1]*S+e[E+2]*T)),u=2*
a/i*1,p=n/2,f=n-1,m=0;for(let b=0;b<i;b++){let S=a-(b+.5)*u,T=(.5-o/2)*u,E=d[0]+h[0]*S+c[0]*T,B=d[1]+h[1]*S+c[1]*T,R=d[2]+h[2]*S+c[2]*T,[C,at,W]=[c[0]*u,c[1]*u,
c[2]*u];for(let lt=0;lt<o;lt++){let[ft,Xs,Zs]=[E<0?-E:E,B<0?-B:B,R<0?-R:R],ee=0,se=0,ne=0,oe=Xs;ft>=Xs&&ft>=Zs?(oe=ft,ee=E>0?2:4,se=E>0?-R:R,ne=-B):Xs>=Zs?(ee=B>
0?0:5,se=E,ne=B>0?R:-R):(oe=Zs,ee=R>0?1:3,se=R>0?E:-E,ne=-B);let Sl=(se/oe+1)*p|0,Ml=(ne/oe+1)*p|0;r[m++]=t[ee][Math.min(Ml,f)*n+Math.min(Sl,f)],E+=C,B+=at,R+=W}}}var M=640,P=360,Gt=.42,Zh=13,Kt=62,Yh=92,Jh=7,qe=Math.PI/180,fr=n=>2*Math.atan(Math.tan(n*qe/2)*M/P)/qe,Qh=n=>2*Math.atan(Math.tan(n*qe/2)*P/M)/qe;function mr(n,t){
let e=t.node,s=vn(t),o=jt(n,e),i=typeof s=="number"&&s!==e?Tt(n,e,s).heading:void 0,r=o===void 0?void 0:Tt(n,e,o).heading,a={heading:i??t.heading_deg??r??0,field:Kt};
if(i===void 0||r===void 0)return a;let c=ut(r-i),h=Qh(Math.abs(c)+2*Jh);return h>Yh?a:{heading:i+c/2,field:Math.max(Kt,h)}}function gr(n,t){let e=De(n.camera,M/
P,Pe(t.heading,t.elevation));if(!e||e.x<-.05||e.x>1.05||e.y<0)return[];let s=Math.min(46,Math.max(9,90/Math.max(t.far,.5)));return[{way:t,x:e.x*M,y:Math.min(e.y*
P,P-s*Gt-2),radius:s}]}function yr(n,{way:t,x:e,y:s,radius:o}){let{context:i,player:r}=n,a=n.other?"other":"agent",c=t.state==="chosen"?a:t.reference?"reference":
"rejected",h=r.colors.get(c);i.beginPath(),i.ellipse(e,s,o,o*Gt,0,0,2*Math.PI),i.globalAlpha=c==="rejected"?.45:.75,i.fillStyle=h,i.fill(),i.globalAlpha=1,i.lineWidth=
t.reference&&t.state==="chosen"?4:2,i.strokeStyle=t.reference&&t.state==="chosen"?r.colors.get("reference"):r.colors.get("paper"),i.stroke(),c!=="rejected"&&kr(
n,Ue(n,t),e,s-o*Gt-7,h)}function Ue(n,t){let e=n.other??"agent";return t.state!=="chosen"?"reference":t.reference?`${e}, reference`:e}function wr(n,t){let{context:e,
player:s}=n,o=ut(t.heading-n.heading),i=o<0?-1:1,r=s.colors.get(t.state==="chosen"?n.other?"other":"agent":"reference"),[a,c]=[M/2+i*(M/2-8),P*(t.state==="chose\
n"?.62:.5)];e.beginPath(),e.moveTo(a,c),e.lineTo(a-i*22,c-15),e.lineTo(a-i*22,c+15),e.closePath(),e.lineWidth=4,e.strokeStyle=s.colors.get("paper"),e.stroke(),e.
fillStyle=r,e.fill();let h=`${Ue(n,t)}, ${Math.round(Math.abs(o))}°`;kr(n,h,a-i*30,c+6,r,i<0?"left":"right")}function kr(n,t,e,s,o,i="center"){let{context:r}=n,
a=Math.max(16,Zh*M/(n.canvas.clientWidth||M));r.font=`600 ${a}px "Source Sans", system-ui, sans-serif`,r.textAlign=i,r.lineWidth=a/4,r.strokeStyle=n.player.colors.
get("paper");let c=r.measureText(t).width/2+a/4,h=i==="center"?Math.max(c,Math.min(M-c,e)):e;r.strokeText(t,h,s),r.fillStyle=o,r.fillText(t,h,s)}var td=8,ed=8,sd=96,br=160,nd=512,od=1280,id=1500,Et=class{constructor(t){this.player=t,this.kept=new Map}get table(){return this.player.doc.pictures}get size(){
return this.player.root.clientWidth>id||devicePixelRatio>1?od:nd}get any(){return this.player.doc.steps.some(({views:t})=>t?.length)}url(t,e){let s=this.table?.
all[t];return!s||s.fault?null:s.data?s.data:!this.table?.at||!s.key?null:`${this.table.at}/${s.key}${e?`?size=${e}`:""}`}nameOf(t){return t===null?"":this.table?.
all[t]?.key??String(t)}image(t,e){let s=this.url(t,e);if(!s)return null;let o=this.kept.get(s)??this.request(s);this.kept.delete(s),this.kept.set(s,o);for(let[i]of this.
kept){if(this.kept.size<=sd)break;this.kept.delete(i)}return o}request(t){let e=l("img",{alt:"",draggable:"false"});return e.decoding="sync",e.src=t,e.decode().
catch(()=>{}),e}ahead(t){if(!this.table)return;let{steps:e}=this.player.doc,s=Math.min(e.length,t+td);for(let o=Math.max(1,t-ed);o<=s;o++)for(let i of e[o-1].views??
[]){if(i.kind!=="picture"&&i.kind!=="frame")continue;let[r]=i.pictures;r!==null&&this.image(r,this.size)}}frame(t,e=this.size){let s=this.table?.all[t],o=this.image(
t,e),i=s?.name??"";if(!o)return l("div",{class:"nv-picture"},Ln(i,s?.fault));o.alt=i;let r=l("div",{class:"nv-picture"},o);return o.onerror=()=>this.explain(r,t),
o.complete&&!o.naturalWidth&&this.explain(r,t),r}async explain(t,e){let s=this.table?.all[e]?.name??"",o=this.url(e);if(t.replaceChildren(Ln(s,"This picture can\
not be shown.")),!o||o.startsWith("data:"))return;let i=await fetch(o).catch(()=>null),r=i&&!i.ok?await i.text():"";r&&t.replaceChildren(Ln(s,r))}open(t){let e=l(
"img",{src:this.url(t)??"",alt:this.table?.all[t]?.name??""}),s=l("p",{text:this.table?.all[t]?.name??""}),o=l("dialog",{class:"nv-picture-whole","aria-label":"\
Picture in full size"},e,s);o.addEventListener("click",()=>o.close()),o.addEventListener("close",()=>o.remove()),this.player.root.append(o),o.showModal()}};function Ln(n,t){
return l("div",{class:"nv-picture-missing"},l("code",{text:n}),l("span",{text:t??"This picture is not in the opened folders."}))}function Ge(n,t){if(n.kind==="d\
iscrete"){let e=12+Math.round((t%360+360)%360/30)%12;return n.pictures[e]??n.pictures.find(s=>s!==null)??null}return n.kind==="cube"&&n.pictures.length===6?n.pictures[xr(
n,t)]:n.pictures[0]??null}function Ke(n,t,{naturalWidth:e,naturalHeight:s}){return n.kind!=="cube"||n.pictures.length===6?[0,0,e,s]:[xr(n,t)*s,0,s,s]}function xr({
rotation:n},t){let e=n??[1,0,0,0,1,0,0,0,1],[s,o]=[Math.sin(t*Math.PI/180),Math.cos(t*Math.PI/180)],[i,,r]=[0,1,2].map(a=>-(e[a]*s+e[3+a]*o));return Math.abs(i)>
Math.abs(r)?i>0?2:4:r>0?1:3}var Ve=10,rd=-10,vr=70,ad=120,ld=3,cd=8,An=2,hd=120,dd=100,ud=4,st=class{constructor(t,e){this.player=t,this.other=e,this.canvas=l("canvas",{width:M,height:P,tabindex:0,
"aria-label":"Look around"}),this.context=this.canvas.getContext("2d"),this.words=l("figcaption"),this.back=_("first","Back to the agent (escape)",()=>this.home(),
{look:"back"}),this.box=l("figure",{class:"nv-look"},this.canvas,this.words,this.back),this.heading=0,this.elevation=0,this.field=Kt,this.node=null,this.standing=
"",this.step=null,this.shown="",this.turned=!1,this.away=!1,this.cube=null,this.cubes=new Map,this.discs=[],this.turn=0,this.drawn=0,this.cost_ms=0,this.still=0,
this.coned=0,this.pixels=null,this.coarse=new OffscreenCanvas(M/An,P/An),this.listen()}of(t,e){let s=`${t.index} ${this.idOf(t.node)} ${this.nameOf(e)}`;return s===
this.shown&&this.renumbered(t)?(this.step=t,!this.turned&&!this.away&&this.face(t),this.soon(),this.box):(this.shown=s,this.step=t,this.goHome(t,e),this.box)}idOf(t){
return typeof t=="number"?this.player.doc.nodes.ids[t]:t}nameOf({kind:t,pictures:e}){return`${t} ${e.map(s=>this.player.pictures.nameOf(s)).join(" ")}`}renumbered(t){
let e=this.away?this.player.doc.nodes.ids.indexOf(this.standing):t.node;return typeof e!="number"||e<0?!1:(this.node=e,!0)}goHome(t,e){this.away=!1,this.turned=
!1,this.elevation=rd,this.face(t),this.stand(t.node,e)}face(t){let{heading:e,field:s}=mr(this.player.doc,t);this.heading=e,this.field=s}stand(t,e){this.node=t,this.
standing=this.player.doc.nodes.ids[t],this.cube=null;let s=++this.turn;this.plain(e),setTimeout(()=>this.take(s,e),this.cubes.has(this.nameOf(e))?0:ad),this.tell()}async take(t,e){
if(t!==this.turn||!this.box.isConnected)return;let{pictures:s}=this.player,o=this.nameOf(e),i=this.cubes.get(o)??dr(e,(a,c)=>s.image(a,c));this.cubes.set(o,i);for(let[
a]of this.cubes){if(this.cubes.size<=ld)break;this.cubes.delete(a)}let r=await i;t===this.turn&&(this.cube=r,this.box.dataset.around=String(r!==null),this.draw())}plain(t){
let{pictures:e}=this.player,s=Ge(t,this.heading),o=s===null?null:e.image(s,e.size),{turn:i}=this,r=()=>{if(i!==this.turn||this.cube||!o?.naturalWidth)return;let[
a,c,h,d]=Ke(t,this.heading,o),u=Math.max(M/h,P/d),[p,f]=[h*u,d*u];this.context.drawImage(o,a,c,h,d,(M-p)/2,(P-f)/2,p,f)};this.context.fillStyle=this.player.colors.
get("mute"),this.context.fillRect(0,0,M,P),o?.complete?r():o?.addEventListener("load",r,{once:!0})}soon(){cancelAnimationFrame(this.drawn),this.drawn=requestAnimationFrame(
()=>this.drawTurned())}get camera(){return{heading:this.heading,elevation:this.elevation,field:this.field}}drawTurned(){clearTimeout(this.still);let t=this.cost_ms>
cd?An:1,e=performance.now()-this.coned>dd;this.draw(t,e),(t>1||!e)&&(this.still=window.setTimeout(()=>this.draw(),hd))}draw(t=1,e=!0){if(!this.cube)return;let s=performance.
now();if(t===1)this.paint(this.cube,this.context,M,P);else{let a=this.coarse.getContext("2d");this.paint(this.cube,a,M/t,P/t),this.context.drawImage(this.coarse,
0,0,M,P)}this.cost_ms=(this.cost_ms+(performance.now()-s)*t*t)/2,this.canvas.dataset.drawn=String(M/t);let o=this.ways();this.discs=o.flatMap(a=>gr(this,a));for(let a of this.
discs)yr(this,a);let i=new Set(this.discs.map(({way:a})=>a)),r=o.filter(a=>a.reference||a.state==="chosen");for(let a of r)i.has(a)||wr(this,a);this.canvas.ariaLabel=
["Look around",...r.map(a=>this.wayInWords(a))].join(", "),this.box.dataset.heading=String(Math.round((this.heading%360+360)%360)),this.tell(e)}paint(t,e,s,o){this.
pixels?.width!==s&&(this.pixels=e.createImageData(s,o)),pr(t,this.camera,s,o,new Uint32Array(this.pixels.data.buffer)),e.putImageData(this.pixels,0,0)}ways(){let{
player:t}=this,{doc:e}=t,{node:s,step:o}=this;if(s===null)return[];let i=this.away||!o?[]:ze(e,o),r=new Set(i.map(c=>c.node)),a=jt(e,s);for(let c of Nt(e.links).
get(s)??[]){if(r.has(c)||t.walks?.may(c)===!1)continue;let h=e.nodes.ids[c];i.push({node:c,label:h,state:"other",reference:c===a,...Tt(e,s,c)})}return i}wayInWords(t){
let e=Math.round(ut(t.heading-this.heading)),s=e===0?"straight ahead":`${Math.abs(e)}° to the ${e<0?"left":"right"}`;return`${Ue(this,t)} ${s}`}tell(t=!0){let{
player:e,node:s}=this,o=Math.round((this.heading%360+360)%360),i=e.walks?"Where you stand":`Where ${this.other??"the agent"} stands`,r=this.away?"You, not the a\
gent (escape returns)":i;this.words.textContent=`${r} · heading ${o}° · drag to look around, click a disc to walk there`,this.box.classList.toggle("nv-away",
this.away),this.back.hidden=!this.away,!(s===null||this.other||!t)&&(this.coned=performance.now(),e.map.cone?.({node:s,heading:this.heading,field:fr(this.field)}))}leave(){
clearTimeout(this.still),this.node!==null&&(this.node=null,this.step=null,this.shown="",this.turn++,this.player.map.cone?.(null))}look(t,e){this.turned=!0,this.
heading+=t,this.elevation=Math.max(-vr,Math.min(vr,this.elevation+e)),this.soon()}walk(t){let{walks:e}=this.player;if(e){e.may(t)?e.go(t):this.words.textContent=
"One cannot walk there from here.";return}let s=this.player.doc.pictures?.places.find(o=>o.node===t)?.view;if(!s){this.words.textContent="There is no picture of\
 that place.";return}this.away=t!==this.step?.node,this.field=Kt,this.stand(t,s)}home(){let{step:t}=this,e=t?.views?.[0];!t||!e||this.goHome(t,e)}listen(){let{canvas:t}=this,
[e,s,o]=[0,0,0];t.addEventListener("pointerdown",i=>{[e,s,o]=[i.clientX,i.clientY,0],t.setPointerCapture(i.pointerId)}),t.addEventListener("pointermove",i=>{if(!t.
hasPointerCapture(i.pointerId)){this.point(this.discAt(i));return}let[r,a]=[i.clientX-e,i.clientY-s];[e,s,o]=[i.clientX,i.clientY,o+Math.abs(r)+Math.abs(a)];let c=this.
field/t.clientHeight;this.look(-r*c,a*c)}),t.addEventListener("pointerup",i=>{let r=o<ud?this.discAt(i):null;r&&this.walk(r.way.node)}),t.addEventListener("poin\
terleave",()=>this.point(null)),t.addEventListener("keydown",i=>this.onKey(i))}discAt({offsetX:t,offsetY:e}){let s=M/this.canvas.clientWidth,[o,i]=[t*s,e*s],r=a=>((o-
a.x)/(a.radius+6))**2+((i-a.y)/(a.radius*Gt+10))**2;return this.discs.filter(a=>r(a)<=1).sort((a,c)=>r(a)-r(c))[0]??null}point(t){let e=t?[`n:${t.way.node}`]:[];
this.canvas.style.cursor=t?"pointer":"grab",this.canvas.title=t?.way.label??"",this.player.lightText(e),this.player.map.highlight(e)}onKey(t){let s={ArrowLeft:()=>this.
look(-Ve,0),ArrowRight:()=>this.look(Ve,0),ArrowUp:()=>this.look(0,Ve),ArrowDown:()=>this.look(0,-Ve),Enter:()=>this.walkAhead(),Escape:()=>this.escape()}[t.key];
!s||t.ctrlKey||t.metaKey||t.altKey||(t.preventDefault(),t.stopPropagation(),s())}walkAhead(){let t=({x:s})=>Math.abs(s-M/2),e=[...this.discs].sort((s,o)=>t(s)-t(
o))[0];e&&this.walk(e.way.node)}escape(){this.away?this.home():this.canvas.blur()}};var pd=new Set(["cube","panorama","discrete"]),[fd,md]=[.24,.17],[Sr,Mr,$r,gd]=[.03,.97,.12,.92],On={x:.16,y:.17};function Xe(n,t){let e=[...Lr(n,t,t.look),...yd(
t)];if(!e.length)return null;let[s]=e;return e.length===1&&s===t.look.box?s:l("div",{class:`nv-seen-pictures nv-of-${Math.min(e.length,3)}`},e)}function Lr(n,t,e){
let s=n.views??[],o=s.find(({kind:r})=>pd.has(r));if(o&&typeof n.node=="number")return[e.of(n,o)];let i=ze(t.doc,n);return s.map(r=>kd(r,i,t,e.other))}function yd(n){
let{compare:t}=n.doc,e=t?.first_difference;if(!t||!e||n.step<e)return[];let s=t.steps[n.step-1];if(!s?.views?.length)return[];let o=wd(n,t.label),i=Tr.get(s);if(!i){
let r=s.views.map(a=>({...a,label:[t.label,a.label].filter(Boolean).join(": ")}));i={...s,views:r,index:n.step},Tr.set(s,i)}return Lr(i,n,o).slice(0,1)}var Tr=new WeakMap,
Er=new WeakMap;function wd(n,t){let e=Er.get(n)??new st(n,t);return e.other=t,Er.set(n,e),e}function kd(n,t,e,s){let[o]=n.pictures;if(o===null)return null;let i=e.
pictures.frame(o),r=n.heading_deg,a=i.querySelector("img");if(a&&r!==void 0&&t.length){let c={heading:r,elevation:n.elevation_deg??0,field:n.field_deg??Ft},h=()=>i.
append(...xd(t,c,a.naturalWidth/a.naturalHeight,e,s));a.complete?h():a.addEventListener("load",h,{once:!0})}return a&&(i.title="Click: full size",i.addEventListener(
"click",()=>e.pictures.open(o))),l("figure",{class:"nv-seen-picture"},i,l("figcaption",{text:bd(n,r)}))}function bd(n,t){return[n.label,t===void 0?"":`heading ${Math.
round(t)}°`,n.elevation_deg?`elevation ${Math.round(n.elevation_deg)}°`:"",t!==void 0&&n.field_deg===void 0?`field of view taken as ${Ft}°`:""].filter(Boolean).
join(" · ")}function xd(n,t,e,s,o){let i={left:0,right:0},r=[];return n.map(a=>{let c=De(t,e,Pe(a.heading,a.elevation)),h=ut(a.heading-t.heading),d=c!==null&&c.
x>=0&&c.x<=1,u=d&&c?Math.min(Mr,Math.max(Sr,c.x)):h<0?Sr:Mr,p=d&&c?Math.min(gd,Math.max($r,c.y)):fd+md*i[h<0?"left":"right"]++,f=d?0:h<0?-90:90,m=d?vd(u,p,r):{x:u,
y:p};return r.push(m),Sd(a,m.x,m.y,f,s,o)})}function vd(n,t,e){let s=o=>e.some(i=>Math.abs(i.x-n)<On.x&&Math.abs(i.y-o)<On.y);for(let o=t;o>=$r;o-=On.y)if(!s(o))
return{x:n,y:o};return{x:n,y:t}}function Sd(n,t,e,s,o,i){let r=t>.8?" nv-at-right":t<.2?" nv-at-left":"",a=i&&n.state==="chosen"?" nv-way-compared":"",c=`nv-way\
 nv-way-${n.state}${a}${n.reference?" nv-way-reference":""} nv-ref${r}`,h={chosen:i?`the way of ${i}`:"the agent's way",rejected:"rejected",offered:"offered",other:"\
not offered"},d=`${n.label}: ${h[n.state]}${n.reference?", the reference's way":""}`,u=y("svg",{viewBox:"-12 -12 24 24",style:`rotate:${s}deg`},y("path",{d:"M0-\
11 10 2H4v9h-8V2h-6z"})),p=f=>{f.stopPropagation(),o.map.panTo(`n:${n.node}`)};return l("span",{class:c,title:d,data:{ref:`n:${n.node}`},style:{left:`clamp(0.8e\
m, ${100*t}%, 100% - 0.8em)`,top:`${100*e}%`},on:{click:p}},u,l("b",{text:n.label.length>18?`${n.label.slice(0,8)}…`:n.label}))}function Ar(n,t){let e=t.doc.pictures?.
prompts[n];if(!e)return l("span");let s=t.pictures.frame(e.picture,320);s.querySelector("img")&&s.addEventListener("click",()=>t.pictures.open(e.picture));let i=[
e.label,e.width&&e.height?`${e.width} × ${e.height}`:"",e.size_bytes?`${Math.round(e.size_bytes/1e3)} kB`:"",e.detail?`detail ${e.detail}`:"",e.tokens?`about ${e.
tokens} tokens`:""];return l("figure",{class:"nv-prompt-picture"},s,l("figcaption",{text:i.filter(Boolean).join(" · ")}))}async function Or(n,t){try{await navigator.clipboard.writeText(n)}catch{let e=document.createElement("textarea");e.value=n,e.className="nv-off-screen",t.append(
e),e.select(),document.execCommand("copy"),e.remove()}t.dataset.done="true",setTimeout(()=>delete t.dataset.done,1200)}var nt=n=>l("p",{class:"nv-nothing",text:n}),Ze=class{constructor(t,e){this.player=t,this.folds=e,this.raw=!1}get linker(){return this.player.linker}thoughts(t,e){
let s=this.each(t,"thoughts",o=>o.thoughts===void 0?nt("This call has no thoughts."):et(this.player.text(o.thoughts),this.linker));return e.thoughts?s.append(l(
"div",{class:"nv-streaming"},et(e.thoughts,this.linker))):t.length||s.append(nt(this.waiting()?"Waiting for the model.":this.withoutCall())),s}prompts(t){return t.
length?this.each(t,"prompt",e=>{let s=e.messages.length>1;return!s&&!e.messages.length?nt("The log does not hold this prompt."):l("div",{},e.messages.map(o=>this.
message(o,s)))}):nt(this.withoutCall())}replies(t,e){let s=this.each(t,"reply",o=>o.reply===void 0?nt(o.error??"There is no reply."):this.code(this.player.text(
o.reply)));return e.reply?s.append(l("div",{class:"nv-streaming"},this.code(e.reply))):t.length||s.append(nt(this.withoutCall())),s}waiting(){return this.player.
doc.running&&this.player.atEnd}withoutCall(){return this.player.doc.unlogged??"No model was asked in this step."}each(t,e,s){let o=t.length>1||t[0]?.purpose!=="\
decide";return l("div",{},t.map(i=>{let r=this.rawText(i,e),a=this.raw&&r?l("pre",{class:"nv-raw"},g(this.linker,r)):s(i);return l("section",{class:"nv-call"},this.
callHead(i,o,r),a)}))}rawPart([t,e]){if(t!=="picture")return this.player.text(e);let{pictures:s}=this.player.doc,o=s?.prompts[e];return`[picture: ${o?s.all[o.picture].
name:"unknown"}]
`}rawText(t,e){if(e==="thoughts")return t.thoughts===void 0?"":this.player.text(t.thoughts);if(e==="reply")return t.reply===void 0?"":this.player.text(t.reply);
let s=t.messages.map(({parts:o})=>o.map(i=>this.rawPart(i)).join(""));return s.length<2?s[0]??"":s.map((o,i)=>`${t.messages[i].role}:
${o}`).join(`

`)}callHead(t,e,s){let{usage:o}=t,i=Md(o);return l("div",{class:"nv-call-head"},e?l("b",{text:t.purpose}):null,t.model?l("span",{text:t.model}):null,i?l("span",
{title:"tokens of prompt, thoughts and reply",text:i}):null,t.seconds===void 0?null:l("span",{text:ae(t.seconds)}),t.cost_usd===void 0?null:l("span",{text:Td(t)}),
t.retries?l("span",{class:"nv-flag nv-warn",text:q(t.retries,"retry","retries")}):null,t.error?l("span",{class:"nv-flag nv-bad",text:t.error}):null,t.parse_error?
l("span",{class:"nv-flag nv-bad",text:t.parse_error}):null,s?this.rawTools(s):null)}rawTools(t){let e={mousedown:w,click:()=>this.toggleRaw()},s=this.raw?"Show \
it set in type":"Show it as it was sent or came back",o=l("button",{type:"button",class:"nv-small",text:this.raw?"set":"raw",title:s,"aria-pressed":String(this.
raw),on:e,data:{call:"raw"}}),i=_("copy","Copy the text",()=>Or(t,i),{call:"copy"});return l("span",{class:"nv-raw-tools"},o,i)}toggleRaw(){this.raw=!this.raw,this.
player.repaintPane()}showRaw(){this.raw||this.toggleRaw()}message(t,e){let s=l("div",{class:"nv-message"},e?l("div",{class:"nv-role",text:t.role}):null),o=s;for(let[
i,r]of t.parts){if(i==="picture"){o.append(Ar(r,this.player));continue}let a=this.player.text(r);i==="heading"?(o=l("div",{class:"nv-part-body"}),s.append(this.
heading(a.trim(),o))):i!=="fence"&&o.append(this.part(i,a))}return s}heading(t,e){let s=`part.${t}`,o=t.replace(/^\[(.*)\]$/s,"$1").replace(/^#+\s*/,""),i=l("su\
mmary",{text:o});return ie({class:"nv-part"},i,e,this.folds.get(s)??!0,r=>this.folds.set(s,r))}part(t,e){let s=t==="json"?_i(e):null;if(s)return l("div",{class:"\
nv-json"},dt(s.value,this.linker,this.folds,"prompt"));let o=e.replace(/(?<!\n)\n+$/,`
`).replace(/^\n+/,"");return l("pre",{class:t==="text"?"nv-plain":"nv-code"},g(this.linker,o))}code(t){return l("pre",{class:"nv-code"},g(this.linker,t))}};function Md(n){
let t={prompt:n?.prompt_tokens,thoughts:n?.thoughts_tokens,reply:n?.output_tokens};return Object.entries(t).filter(([,s])=>s!=null).map(([s,o])=>`${$(o)} ${s}`).
join(" · ")}function Td(n){return n.list_price?`${gt(n.cost_usd)} list price`:gt(n.cost_usd)}function _r(n,t,e){let s=Xe(n,t),o=n.observation;if(!o)return s??nt("The log does not say what the agent was shown.");let i=[o.format,q(o.visible.length,"node",
"nodes"),q(o.pois.length,"landmark","landmarks")],r=n.calls.length?"As it stood in the prompt":"In words";return l("div",{},s,l("div",{class:"nv-call-head"},i.map(
a=>l("span",{text:a}))),Ed(t.doc.information?.[n.index]),o.pois.length?$d(o.pois,t.linker):null,o.candidates.length?Ld(o.candidates,t):null,o.text?l("h4",{text:r}):
null,(o.text??[]).filter(([a])=>a!=="fence").map(([a,c])=>e.part(a,t.text(c))))}function Ed(n){if(!n)return null;let[t,e]=n,o={enough:"Tells the right way.","no\
t enough":"Does not tell the right way.",contradicts:"Contradicts the map."}[t]??t;return l("p",{class:`nv-information ${t==="enough"?"nv-mute":"nv-lacks"}`},l(
"b",{text:o}),` ${e}`)}function $d(n,t){let e=n.map(s=>{let o=O(s.name);return l("tr",{},l("td",{},s.letter?F(s.letter,o,t):""),l("td",{},F(s.name,o,t)),l("td",
{text:Cr(s.position??s.direction)}),l("td",{class:"nv-num",text:k(s.distance_m)}))});return l("table",{class:"nv-table"},l("tbody",{},e))}function Ld(n,t){let e=n.
map(s=>l("tr",{class:`nv-cand-${s.state}`},l("td",{},l("span",{class:`nv-cand nv-cand-${s.state}`,title:s.state})),l("td",{},t.nodeMark(s.node),s.label?` ${s.label}`:
""),l("td",{text:Cr(s.direction)}),l("td",{class:"nv-num",text:Ad(s)}),l("td",{},s.reason?g(t.linker,s.reason):"")));return l("table",{class:"nv-table"},l("tbod\
y",{},e))}var Cr=n=>(n??"").replace(/^(left|right) ([\d.]+)$/,"$1 $2°");function Ad(n){return n.score!==void 0?$(n.score,3):n.distance_m===void 0?"":k(n.distance_m)}var Od={none:"todo",now:"doing",reached:"done",missed:"missed",cut:"missed"};function Ir(n,t){let{tasks:e}=n.doc.episode,{stages:s}=n.doc,o=de(s,t),i=e.map((a,c)=>Id(
n,a,c,s[c],t)),r=l("ol",{class:"nv-plan nv-tasks"},i);return o>=0&&queueMicrotask(()=>_d(r,i[o])),l("section",{class:"nv-plan-box nv-tasks-box"},l("h3",{text:`T\
ask in ${e.length} parts`}),r)}function _d(n,t){Oe(n,t);let e=n.closest(".nv-pane-top");if(!e)return;let[s,o]=[t.getBoundingClientRect(),e.getBoundingClientRect()];
s.bottom>o.bottom?e.scrollTop+=Math.min(s.bottom-o.bottom,s.top-o.top):s.top<o.top&&(e.scrollTop-=o.top-s.top)}function Cd(n,t){return!n||n.first===void 0||n.last===
void 0?{state:"none",said:n?.status??""}:t<n.first?{state:"none",said:"to come"}:t<n.last||n.state==="now"?{state:"now",said:"now"}:{state:n.state,said:n.status}}
function Id(n,t,e,s,o){let{state:i,said:r}=Cd(s,o),a=i==="now",c=`nv-task nv-${Od[i]}${a?" nv-current":""}`,h={"--nv-stage":`var(--nv-${Y(e)})`},d=s!==void 0&&i!==
"none"&&!a;return l("li",{class:c,style:h,data:{stage:e+1},title:`Part ${e+1}: ${r}`,on:{click:()=>n.toStage(e)}},l("span",{class:"nv-stage-number",text:String(
e+1)}),l("span",{class:"nv-what"},g(n.linker,t.description),t.region?l("span",{class:"nv-then",text:` ${t.region}`}):null,t.actions.length?l("span",{class:"nv-t\
hen",text:`, then ${t.actions.join(", ")}`}):null),l("span",{class:"nv-said",text:d&&s?`${r}${Nd(s)}`:r}))}function Nd({state:n,moves:t,reference_moves:e,nearest_m:s}){
let o=e===void 0?"":` of ${ct(e)}`,i=t===void 0?"":` · ${ct(t)}${o} steps`,r=s===void 0||n==="reached"?"":` · nearest ${k(s)}`;return`${i}${r}`}var _n={TODO:["todo","to do"],IN_PROGRESS:["doing","in progress"],COMPLETED:["done","completed"],SKIPPED:["skipped","skipped"]},Ye=class{constructor(t){this.player=
t}sections(t){let e=this.player.doc.stages.length?Ir(this.player,this.player.step):null;return[this.instruction(),e,this.plan(t)].filter(o=>o!==null)}instruction(){
let{doc:t,linker:e}=this.player,s=t.episode.instruction||"This episode has no instruction.";return l("section",{class:"nv-instruction"},l("h3",{text:"Instructio\
n"}),l("p",{dir:"auto",lang:t.episode.language},g(e,s)))}plan(t){let{doc:e,atEnd:s}=this.player,o=s&&!e.running?e.end?.plan:void 0,i=t?.plan??(o?.length?o:e.planning.
sub_goals);if(!i.length&&(e.stages.length||!e.episode.tasks.length))return null;let r=t?.sub_goal,a=i.length?i.map(([h,d,u],p)=>this.subGoal(p,this.player.text(
h),d,u,r)):e.episode.tasks.map((h,d)=>this.subGoal(d,h.description,"TODO",null,r)),c=l("ol",{class:"nv-plan"},a);return r!==void 0&&queueMicrotask(()=>Oe(c,a[r])),
l("section",{class:"nv-plan-box"},l("h3",{text:i.length?"Plan":"Tasks"}),c)}subGoal(t,e,s,o,i){let[r,a]=_n[s]??_n.TODO,c=`nv-${r}${t===i?" nv-current":""}`,h={click:()=>this.
player.toSubGoal(t)},{doc:d}=this.player,u=N(d,nn(d.steps,t)),p=d.skills?.[nn(d.steps,t)??-1]?.name;return l("li",{class:c,title:`Sub-goal ${t+1}, ${a}: ${e}`,on:h},
l("span",{class:"nv-state","aria-label":a,role:"img"}),u?l("i",{class:"nv-swatch",title:p??"",style:{"background-color":u}}):null,l("span",{class:"nv-what"},g(this.
player.linker,e)),o?l("span",{class:"nv-try",title:`try ${o} of this sub-goal`,text:`try ${o}`}):null)}hint(){let{doc:t}=this.player,e="This run has no steps.";
return t.steps.length?e="Before the first step. Press → or space.":t.running&&(e="The run is starting."),l("section",{class:"nv-decision nv-mute"},l("p",{text:e}))}decision(t){
let e=t.decision,s=this.player.doc.divergence?.step===this.player.step,o=[e&&!e.legal?l("span",{class:"nv-flag nv-bad",text:"illegal"}):null,t.retries?l("span",
{class:"nv-flag nv-warn",text:q(t.retries,"retry","retries")}):null,e?.stop?l("span",{class:"nv-flag",text:"stops"}):null,s?l("span",{class:"nv-flag nv-warn",text:"\
leaves the route"}):null,...(t.edits??[]).map(({what:i,old:r,new:a})=>l("span",{class:"nv-flag nv-warn",title:`${r}
→
${a}`,text:`edited ${i}`}))];return l("section",{class:"nv-decision"},l("h3",{},"Decision",o),l("p",{class:"nv-where"},this.move(t)),e?.reason?l("p",{class:"nv-\
reason"},g(this.player.linker,e.reason)):null)}move(t){let{doc:e,atEnd:s}=this.player,o=t.decision,i=t.path.length>1?Fe(e,e.steps.indexOf(t)):null,r=t.path.length>
1?t.path.at(-1):o?.target,a=o?.sub_goal_status?this.verdict(o.sub_goal_status):null;if(i){let c=t.path.length-1,h=i.route?`; the route ${i.route}`:"";return[Nr(
e,r,yt(i.did)),`${h}.`,l("span",{class:"nv-hops nv-mute",text:`${q(c,"link","links")}, ${k(i.metres,0)}`}),a]}return o?.target_id&&r===t.node?[Nr(e,r,"Stayed"),
".",a]:o?.target_id?["Chose ",this.player.nodeMark(r,o.target_id),a]:o?[l("span",{class:"nv-mute",text:Pd(o)}),a]:t.path.length?["Walked to ",this.player.nodeMark(
r)]:[e.running&&s?"Deciding at ":"At ",this.player.nodeMark(t.node)]}verdict(t){let[e,s]=_n[t]??["todo",t];return l("span",{class:`nv-verdict nv-${e}`,text:s})}};
function Nr(n,t,e){let[s,o]=typeof t=="number"?[n.nodes.ids[t],{ref:`n:${t}`}]:[t??"",{}];return l("span",{class:"nv-ref",title:s,text:e,data:o,tabindex:-1})}function Pd({
action:n,stop:t}){return n?n.replaceAll("_"," ")+(t&&n!=="stop"?", stop":""):t?"stop":"no place named"}function Pr(n,t,e){return t===void 0?l("span",{class:"nv-\
mute",text:"an unknown place (hole in the log)"}):typeof t=="number"?F(e??n.nodes.ids[t],`n:${t}`):l("span",{class:"nv-foreign",title:"This id is not in the gra\
ph.",text:e??t})}var Rd=30,Rr=40,Je=class{constructor(t,e){this.player=t,this.folds=new Map,this.tab=t.options.tab??(t.pictures.any?"seen":"thoughts"),this.chosen=!1,this.shown=
null,this.top=l("div",{class:"nv-pane-top"}),this.split=l("div",{class:"nv-split nv-split-row"}),this.decided=l("div",{class:"nv-decided"}),this.tabs=l("div",{class:"\
nv-tabs",role:"tablist"}),this.body=l("div",{class:"nv-tab-body",role:"tabpanel",tabindex:-1}),this.tabs.addEventListener("wheel",({deltaX:s,deltaY:o})=>this.tabs.
scrollBy({left:s?0:o}),{passive:!0}),e.append(this.top,this.split,this.decided,this.tabs,this.body),this.topView=new Ye(t),this.calls=new Ze(t,this.folds),this.
beside=t.doc.compare?.partners?new je(t):null,t.root.dataset.beside=String(this.beside!==null)}show(t){let{doc:e}=this.player;if(this.beside){this.top.replaceChildren(
this.topView.instruction(),this.beside.section(t));return}let s=t??e.planning,{body:o}=this,i=e.running&&o.scrollHeight-o.scrollTop-o.clientHeight<Rd,r=o.scrollTop;
this.top.replaceChildren(...this.topView.sections(t)),this.decided.replaceChildren(t?this.topView.decision(t):this.topView.hint());let a=this.tabList(s,t),c=a.find(
f=>f.key===this.tab)??a[0],h=c.empty&&!this.chosen?a.find(f=>!f.empty)??c:c;this.tabs.replaceChildren(...a.map(f=>this.tabButton(f,f===h)));let d=this.shown===h.
key;this.shown=h.key;let{canvas:u}=this.player.look,p=document.activeElement===u;o.replaceChildren(l("div",{},h.draw())),p&&u.isConnected&&u.focus({preventScroll:!0}),
this.player.look.box.isConnected||this.player.look.leave(),i&&d?o.scrollTop=o.scrollHeight:r&&!(d&&(h.key==="prompt"||e.running))&&(o.scrollTop=0)}open(t){this.
tab=t,this.chosen=!0,this.player.phone.open("text"),this.player.repaintPane(),this.showOpenTab()}showOpenTab(){let{tabs:t}=this,e=t.querySelector(".nv-open");if(!e||
t.scrollWidth<=t.clientWidth)return;let s=e.offsetLeft-t.offsetLeft-Rr,o=s+e.offsetWidth+2*Rr-t.clientWidth;t.scrollLeft=Math.min(s,Math.max(o,t.scrollLeft))}tabList(t,e){
let{calls:s}=t,o=this.player.atEnd?this.player.doc.streaming:{},r=[{key:"thoughts",name:"Thoughts",empty:!s.some(c=>c.thoughts!==void 0)&&!o.thoughts,draw:()=>this.
calls.thoughts(s,o)},{key:"prompt",name:"Prompt",empty:!s.length,draw:()=>this.calls.prompts(s)},{key:"reply",name:"Reply",empty:!s.length&&!o.reply,draw:()=>this.
calls.replies(s,o)}];e&&r.push({key:"seen",name:"Seen",empty:!e.observation&&!e.views?.length,draw:()=>_r(e,this.player,this.calls)});let a={linker:this.player.
linker,doc:this.player.doc,folds:this.folds,step:this.player.step,go:c=>this.player.go(c)};for(let c of t.panels)r.push({key:`panel:${c.title}`,name:c.title,empty:!1,
draw:()=>Xi(c,a)});return r}tabButton(t,e){return l("button",{class:`nv-tab${e?" nv-open":""}${t.empty?" nv-empty":""}`,role:"tab",type:"button","aria-selected":String(
e),title:t.name,text:t.name,data:{tab:t.key},on:{mousedown:w,click:()=>this.open(t.key)}})}scrollTo(t){let e=this.body.querySelector(`[data-ref="${CSS.escape(t)}\
"]`);e&&this.scrollToElement(e)}scrollToElement(t){let e=t.getBoundingClientRect().top-this.body.getBoundingClientRect().top+this.body.scrollTop;this.body.scrollTo(
{top:e-60,behavior:"smooth"})}};var Dd=40,Bd=60,Qe=class{constructor(t,e){this.player=t,this.box=e,this.cells=[],this.every=0,this.preview=l("div",{class:"nv-strip-preview",hidden:!0}),this.build();
let s=new ResizeObserver(()=>this.fit());s.observe(e),t.stopped.signal.addEventListener("abort",()=>s.disconnect())}build(){this.box.hidden=!this.player.pictures.
any,this.every=0,this.fit()}fit(){if(this.box.hidden)return;let{count:t}=this.player,e=this.box.clientWidth/(t+1),s=Math.max(1,Math.ceil(Dd/Math.max(e,.01)));if(s!==
this.every){this.every=s,this.cells=[];for(let o=1;o<=t;o+=s)this.add(o,e*s);this.box.replaceChildren(...this.cells.map(({cell:o})=>o),this.preview),this.show(this.
player.step)}}add(t,e){let{doc:s,pictures:o,count:i}=this.player,r=s.steps[t-1],a=r.views?.[0];if(!a)return;let c=a.heading_deg??r.heading_deg??0,h=Ge(a,c);if(h===
null)return;let d=o.url(h,br),u=d?l("img",{src:d,alt:"",loading:"lazy",draggable:"false"}):null;u?.addEventListener("error",()=>u.remove()),u?.addEventListener(
"load",()=>{let[b,,S]=Ke(a,c,u),T=u.naturalWidth-S;T>0&&(u.style.objectPosition=`${100*b/T}% 50%`)});let p={click:()=>this.player.jump(t),mouseenter:()=>this.enlarge(
t,h),mouseleave:()=>{this.preview.hidden=!0}},f={left:`${100*(t+.5)/(i+1)}%`,width:`${Math.min(Bd,Math.max(e-2,24))}px`},m=l("div",{class:"nv-strip-cell",title:`\
Step ${t}`,data:{step:t},style:f,on:p},u);this.cells.push({step:t,cell:m})}enlarge(t,e){let s=this.player.pictures.url(e,512);if(!s)return;let o=100*(t+.5)/(this.
player.count+1);this.preview.replaceChildren(l("img",{src:s,alt:""}),l("span",{text:`Step ${t}`})),this.preview.style.left=`${Math.min(86,Math.max(14,o))}%`,this.
preview.hidden=!1}show(t){let e=this.cells.findLast(s=>s.step<=t);for(let{step:s,cell:o}of this.cells)o.classList.toggle("nv-now",s===e?.step&&t>0)}};function Dr(){let n=new URLSearchParams(location.search);return[location.pathname,n.get("run"),n.get("episode")].join(" ")}function Br(n){let{causes:t,divergence:e}=n;
return(t?.leading===void 0?void 0:t.all[t.leading].step)??e?.step}var ts=class{constructor(t){this.player=t,this.place=Dr(),this.written=0,this.waiting=void 0}get on(){
return this.player.options.deepLink!==!1}start(){let{doc:t,count:e}=this.player;if(t.running)return e;let s=this.named();return Math.min(s??(this.atCause?Br(t):
void 0)??t.compare?.parting??1,e)}named(){let t=(this.on?this.writtenStep():null)??this.player.options.step??"";return/^\d+$/.test(String(t))?Number(t):void 0}get atCause(){
let{doc:t,options:e}=this.player;return e.start==="cause"&&!t.running&&this.named()===void 0&&Br(t)!==void 0}writtenStep(){return new URLSearchParams(location.search).
get("step")}remember(){this.on&&(clearTimeout(this.waiting),performance.now()-this.written>250?this.write():this.waiting=setTimeout(()=>this.write(),120))}write(){
if(this.written=performance.now(),this.place!==Dr())return;let t=new URL(location.href);t.searchParams.set("step",String(this.player.step));try{history.replaceState(
history.state,"",t)}catch{}}keep(){this.written&&this.writtenStep()!==String(this.player.step)&&this.remember()}forget(){clearTimeout(this.waiting)}};var zr=200;function Hr(n,t){let e=n.options.breakpoints??[],s=r=>{let{node:a}=n.doc.steps[r-1],c=typeof a=="number"?n.doc.nodes.ids[a]:a;return e.some(h=>h.step===
r||h.node!==void 0&&h.node===c)},o=n.doc.steps.flatMap((r,a)=>s(a+1)?[l("i",{class:"nv-break",title:`Pauses at step ${a+1}`,style:{left:`${t(a+1)}%`,width:`${t(
a+2)-t(a+1)}%`}})]:[]),i=l("div",{class:"nv-gutter",title:"Click: pause at this step (F9)"},o);return i.addEventListener("pointerdown",r=>r.stopPropagation()),i.
addEventListener("click",r=>{let a=i.getBoundingClientRect(),c=Math.floor((r.clientX-a.left)/a.width*(n.count+1));c>0&&n.breakAt({step:c})}),i}function Fr(n,t){
if(!(t.target instanceof Element)||!n.paneBox.contains(t.target))return!1;let e=t.target.closest(".nv-plan-box li");if(e)n.breakAt({closes:[...e.parentElement.children].
indexOf(e)+1});else{let s=zd(t);if(!s)return!1;n.breakAt({prompt:s})}return t.preventDefault(),t.stopPropagation(),!0}function zd(n){let t=getSelection()?.toString().
trim();if(t)return t.slice(0,zr);let e=document.caretRangeFromPoint?.(n.clientX,n.clientY),s=e?.startContainer.nodeType===Node.TEXT_NODE?e.startContainer.textContent??
"":"",o=e?.startOffset??0,i=s.lastIndexOf(`
`,Math.max(0,o-1))+1,r=s.indexOf(`
`,o);return s.slice(i,r<0?void 0:r).trim().slice(0,zr)}var jr=[["← →","step"],["shift + ← →","sub-goal"],["home, end","start, end"],["space","play, pause"],["1 – 9","speed"],["c","to the likely cause or hi\
nt"],["d","to the divergence"],["ctrl + k, /","search"],["f","present"],["escape","leave"],["?","these keys"]],Hd=[["x","what if it had taken another link"],["↑\
 ↓","the other links of a step, with x"],["[ ]","previous, next decisive step"]],Fd=[["n, p","next, previous episode"]],jd=[["r","repair what failed, and walk\
 again"]],Wd=[["b","branch off: fork at this step"]],qd=[["t","add this step to the talk"]],Ud=[["f9","pause at this step, or not"],["alt + click","pause at a n\
ode, or at a line of prompt or plan"],["e","at a pause: edit"],["f8, f10","at a pause: go on, one step"],["shift + f8","at a pause: start again"]],Gd=[["f9","de\
bug from here: fork, and pause at this step"]],es=class{constructor(t){let{actions:e,episodes:s}=t.options,o=[...t.whatIf.possible?Hd:[],...s?Fd:[],...e?.some(({
name:r})=>r==="fork")?Wd:[],...e?.some(({name:r})=>r==="repair")?jd:[],...e?.some(({name:r})=>r==="talk")?qd:[],...t.breaks?Ud:[],...e?.some(({name:r})=>r==="de\
bug")?Gd:[]],i=[...jr.slice(0,7),...o,...jr.slice(7)];this.box=l("dialog",{class:"nv-help","aria-label":"Keys"},l("h3",{text:"Keys"}),l("dl",{},i.flatMap(([r,a])=>[
l("dt",{text:r}),l("dd",{text:a})])),l("p",{class:"nv-mute",text:"Point at a node id, a letter or a landmark in any text: the map shows where it is. Click it, a\
nd the map goes there."})),t.root.append(this.box)}get isOpen(){return this.box.open}close(){this.box.close()}toggle(){this.isOpen?this.close():this.box.show()}};var $t=[],Lt=null,ss=!1;function qr(n){$t.length||(window.addEventListener("keydown",Kr),window.addEventListener("pointerdown",Gr,!0)),$t.push(n),Vd(n)}function Ur(n){
$t.splice($t.indexOf(n),1),Lt===n&&(Lt=null),!$t.length&&(window.removeEventListener("keydown",Kr),window.removeEventListener("pointerdown",Gr,!0))}function Gr(){
ss=!1}function Cn(n){Lt=n}function Kd(){return Lt&&Wr(Lt)?Lt:$t.findLast(Wr)??null}var Wr=n=>n.root.isConnected&&n.root.getClientRects().length>0;function Vd(n){
let{activeElement:t}=document;t instanceof HTMLInputElement&&t.getAttribute("role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!n.root.contains(t)&&
t.blur()}function Kr(n){if(n.key==="Tab"&&(ss=!0),Xd(n))return;let t=Kd();if(!t||n.defaultPrevented)return;n.key==="Escape"&&n.target instanceof HTMLTextAreaElement&&
n.target.blur();let s=(n.ctrlKey||n.metaKey)&&!n.altKey&&!n.shiftKey&&n.key.toLowerCase()==="k"?()=>t.search.open():Yd(t,n);s&&(n.preventDefault(),n.stopPropagation(),
Zd(t),s())}function Xd(n){let{activeElement:t}=document;if(!/^F(8|10)$/.test(n.key)||!(t instanceof HTMLElement))return!1;let e=n.key==="F10"?"One_step":n.shiftKey?
"Start_again":"Go_on",s=document.querySelector(`.st-key-live_pause_${e} button`);return!(s instanceof HTMLElement)||!t.matches(`${Vr}, input`)?!1:(n.preventDefault(),
n.stopPropagation(),t.blur(),s.click(),!0)}function Zd(n){let{activeElement:t}=document;ss||!(t instanceof HTMLElement)||n.root.contains(t)||t.blur()}function Yd(n,t){
return t.ctrlKey||t.metaKey||t.altKey||ou(t)?null:Jd(n,t)}function Jd(n,{key:t,shiftKey:e}){let s=o=>()=>{n.pause(),e?n.bySubGoal(o):n.go(n.step+o)};if(/^[1-9]$/.
test(t))return()=>n.transport.setSpeed(Number(t));switch(t){case"ArrowRight":return s(1);case"ArrowLeft":return s(-1);case"Home":return()=>n.go(0);case"End":return()=>n.
go(n.count);case" ":return()=>n.toggle();case"d":return()=>n.toDivergence();case"c":return()=>n.toCause();case"x":return n.whatIf.possible?()=>n.whatIf.turn():null;case"\
[":return n.doc.what_if?()=>n.whatIf.toDecisive(-1):null;case"]":return n.doc.what_if?()=>n.whatIf.toDecisive(1):null;case"ArrowUp":return n.whatIf.on?()=>n.whatIf.
next(-1):null;case"ArrowDown":return n.whatIf.on?()=>n.whatIf.next(1):null;case"r":return n.why.repair?()=>n.why.walkRepair():null;case"n":return n.options.episodes?
()=>n.toEpisode("next"):null;case"p":return n.options.episodes?()=>n.toEpisode("previous"):null;case"b":return n.options.actions?.some(({name:o})=>o==="fork")?()=>n.
act("fork"):null;case"t":return n.options.actions?.some(({name:o})=>o==="talk")?()=>n.act("talk"):null;case"F9":return Qd(n);case"e":{let o=document.querySelector(
".st-key-live_pause :is(input[role=combobox], textarea)");return o instanceof HTMLElement?()=>o.focus():null}case"f":return()=>n.present();case"?":return()=>n.help.
toggle();case"/":return()=>n.search.open();case"Escape":return tu(n);default:return null}}function Qd(n){return n.breaks?n.step?()=>n.breakAt({step:n.step}):null:
n.options.actions?.some(({name:t})=>t==="debug")?()=>n.act("debug"):null}function tu(n){return n.help.isOpen?()=>n.help.close():n.presenter.on?()=>n.present(!1):
n.whatIf.on?()=>n.whatIf.turn(!1):null}var Vr="textarea, select, [contenteditable=''], [contenteditable=true]",eu=new Set(["button","checkbox","color","file","i\
mage","radio","range","reset","submit"]),su="[role=slider], [role=listbox], [role=option], [role=menu], [role=grid], [role=radiogroup], [role=tablist], canvas[t\
abindex], input",nu="button, summary, a, [role=button], [role=checkbox], [role=switch], label";function ou(n){let t=n.composedPath()[0];return t instanceof Element?
t instanceof HTMLInputElement&&!eu.has(t.type)?!(t.getAttribute("role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!t.value&&/^(Arrow(Left|Right)|Home|End)$/.
test(n.key)):t.closest(Vr)||t.closest("dialog[open] input")?!0:ss?n.key===" "||n.key==="Enter"?t.closest(nu)!==null:t.closest(".navviz-player")===null&&t.closest(
su)!==null:!1:!1}var iu=[["why","Why"],["plan","Plan"],["text","Text"]],ns=class{constructor(t,e){this.root=t,this.buttons=iu.map(([s,o])=>l("button",{type:"button",text:o,data:{
sheet:s},on:{mousedown:w,click:()=>this.open(s)}})),e.append(l("div",{class:"nv-sheets",role:"group","aria-label":"Below the map"},...this.buttons)),this.open("\
why")}open(t){this.root.dataset.sheet=t;for(let e of this.buttons)e.setAttribute("aria-pressed",String(e.dataset.sheet===t))}};var ru=new Set(["thoughts","reply"]),Jr=.35,Qr="br.nv-page-break",Xr=60,ta="p, li, pre, h4, h5, td, dd";function au(n,t,e){let s=[0];n.length&&n[0].bottom>t&&s.
push(n[0].top);let o=0;for(;;){let i=s[s.length-1],r=s.length>1?e:t,a=n.findIndex(({bottom:c},h)=>h>o&&c>i+r);if(a<0)return s;o=lu(n,o,a,i+r*(1-Jr)),s.push((n[o-
1].bottom+n[o].top)/2)}}function lu(n,t,e,s){for(let o=e;o>t&&n[o].top>s;o--)if(n[o].block!==n[o-1].block)return o;return e}var os=class{constructor(t){this.player=
t,this.tops=[0]}count(){let{pane:t,root:e}=this.player;if(this.reset(),!ru.has(t.shown??"")||t.body.scrollHeight<=t.body.clientHeight+1)return 1;let{edge:s}=this,
o=t.body.clientHeight<Xr?0:t.body.clientHeight;e.classList.add("nv-page-further");let i=t.body.clientHeight-s;return e.classList.remove("nv-page-further"),i<Xr?
1:(this.tops=cu(t.body,o,i),this.show(0),this.tops.length)}get edge(){return Number.parseFloat(getComputedStyle(this.player.pane.body).paddingTop)}show(t){let{tops:e}=this,
{pane:s,root:o}=this.player;if(e.length<2)return;o.classList.toggle("nv-page-further",t>0);let{body:i}=s,r=t>0?this.edge:0,a=i.clientHeight,c=i.firstElementChild;
c&&(c.style.paddingBottom=`${a}px`),i.scrollTop=e[t]-r;let h=e[t+1],d=h===void 0?0:Math.max(0,a-r-(h-e[t]));i.style.clipPath=`inset(${r}px 0 ${d}px 0)`,s.tabs.querySelector(
".nv-page-number")?.remove(),s.tabs.append(l("span",{class:"nv-page-number",text:`page ${t+1} of ${e.length}`}))}reset(){if(this.tops.length<2)return;let{pane:t,
root:e}=this.player;for(let o of t.body.querySelectorAll(Qr))o.remove();t.body.normalize(),this.tops=[0],e.classList.remove("nv-page-further"),t.body.firstElementChild?.
style.removeProperty("padding-bottom"),t.body.style.removeProperty("clip-path"),t.body.scrollTop=0,t.tabs.querySelector(".nv-page-number")?.remove()}};function cu(n,t,e){
for(let s=1;;s++){let o=du(n),i=au(o,t,e);if(s>=i.length)return i;let r=o.findIndex(({top:c})=>c>i[s]),a=s>1?e:t;r>0&&o[r].block===o[r-1].block&&hu(n,o[r],i[s-1]+
a*(1-Jr))}}function hu(n,t,e){let{block:s}=t,o=s instanceof HTMLBRElement?s.closest(ta)??s.parentElement:s;if(!o||o.closest("pre"))return;let i=n.getBoundingClientRect().
top-n.scrollTop,r=(o.textContent??"").replace(/\s/g," "),a=null;for(let{index:h}of new Intl.Segmenter("en",{granularity:"sentence"}).segment(r)){let d=Yr(o,h),{
top:u,middle:p}=d?Zr(d,i):{top:0,middle:0};if(p>t.top){let f=Yr(o,r.slice(0,h).trimEnd().length-1);if(f&&Zr(f,i).middle<t.top)return;break}u>e&&(a=d)}if(!a)return;
let c=document.createRange();c.setStart(a.node,a.offset),c.insertNode(l("br",{class:"nv-page-break"}))}function Zr({node:n,offset:t},e){let s=document.createRange();
s.setStart(n,t),s.setEnd(n,t+1);let{top:o,bottom:i}=s.getBoundingClientRect();return{top:o-e,middle:(o+i)/2-e}}function Yr(n,t){let e=document.createTreeWalker(
n,NodeFilter.SHOW_TEXT),s=0;for(let o=e.nextNode();o;o=e.nextNode()){let i=o;if(t<s+i.length)return{node:i,offset:t-s};s+=i.length}return null}function du(n){let t=n.
getBoundingClientRect().top-n.scrollTop,e=[],s=document.createTreeWalker(n,NodeFilter.SHOW_TEXT|NodeFilter.SHOW_ELEMENT),o=document.createRange(),i;for(let r=s.
nextNode();r;r=s.nextNode()){let a=r.parentElement?.closest(ta)??r.parentElement;if(r instanceof Element){r.matches(Qr)&&(i={line:r,inside:a});continue}o.selectNodeContents(
r);let c=i?.inside===a?i.line:a;for(let{top:h,bottom:d,width:u}of o.getClientRects())u&&e.push({top:h-t,bottom:d-t,block:c})}return uu(e.sort((r,a)=>r.top-a.top))}
function uu(n){let t=[];for(let{top:e,bottom:s,block:o}of n){let i=t.at(-1);i&&e<(i.top+i.bottom)/2?i.bottom=Math.max(i.bottom,s):t.push({top:e,bottom:s,block:o})}
return t}var pu=30,In=14,fu=.0165,mu=5,gu=.36,yu=10,is=class{constructor(t){this.player=t,this.wasFull=!1,this.pages=new os(t),this.instruction=l("div",{class:"nv-presen\
t-text",hidden:!0}),t.main.before(this.instruction);let{signal:e}=t.stopped;document.addEventListener("fullscreenchange",()=>this.onFullscreen(),{signal:e}),window.
addEventListener("resize",()=>this.fitType(),{signal:e})}get on(){return this.player.root.classList.contains("nv-present")}turn(t=!this.on){t!==this.on&&(this.player.
root.classList.toggle("nv-present",t),t?this.enterTop():this.leaveTop(),this.player.repaintPane(),requestAnimationFrame(()=>{this.player.stopped.signal.aborted||
(this.player.map.resize(),this.player.map.fit(!1))}))}onFullscreen(){!document.fullscreenElement&&this.wasFull&&this.player.options.fullscreen!==!1&&this.turn(!1),
this.wasFull=!!document.fullscreenElement}enterTop(){let{root:t,options:e}=this.player;t.setAttribute("popover","manual");try{t.showPopover()}catch{}e.fullscreen!==
!1&&t.ownerDocument.documentElement.requestFullscreen?.().catch(()=>{})}leaveTop(){let{root:t,options:e}=this.player;t.style.removeProperty("font-size"),this.pages.
reset(),this.instruction.hidden=!0;try{t.hidePopover()}catch{}t.removeAttribute("popover"),document.fullscreenElement&&e.fullscreen!==!1&&document.exitFullscreen().
catch(()=>{})}fitType(){if(!this.on)return;this.pages.reset();let{root:t,pane:e}=this.player;this.instruction.replaceChildren(...e.top.querySelectorAll(".nv-ins\
truction")),this.instruction.hidden=!1;let s=Math.min(pu,Math.max(In,window.innerWidth*fu));for(;s>In;s-=1)if(t.style.fontSize=`${s}px`,this.fits(s))return;t.style.
fontSize=`${In}px`}fits(t){let{pane:e,paneBox:s}=this.player,o=this.instruction.offsetHeight<.28*window.innerHeight;if(e.body.querySelector(".nv-look, .nv-seen-\
pictures"))return o&&s.clientHeight>=gu*window.innerHeight+yu*t;let i=e.top.querySelector(".nv-plan"),r=e.top.scrollHeight<=e.top.clientHeight+1&&(!i||i.scrollHeight<=
i.clientHeight+1),a=s.clientHeight-e.top.scrollHeight-e.decided.offsetHeight-e.tabs.offsetHeight;return r&&a>=mu*1.5*t&&o}};function sa(n,t){let e=[{what:"instruction",tab:null,step:0,text:n.episode.instruction}];n.planning.sub_goals.forEach(([s],o)=>{let i=n.steps.findIndex(r=>r.sub_goal===
o);e.push({what:`sub-goal ${o+1}`,tab:null,step:i+1,text:t[s]??""})});for(let s of n.planning.landmarks){let o=n.steps.findIndex(i=>i.observation?.pois.some(r=>r.
name===s.name));e.push({what:"landmark",tab:null,step:o+1,text:s.name})}return ea(e,n.planning.calls,0,t),n.steps.forEach((s,o)=>{ea(e,s.calls,o+1,t);for(let i of s.
observation?.pois??[])e.push({what:"landmark",tab:"seen",step:o+1,text:i.name});s.decision?.reason&&e.push({what:"decision",tab:null,step:o+1,text:s.decision.reason})}),
e}function ea(n,t,e,s){for(let o of t){o.thoughts!==void 0&&n.push({what:"thoughts",tab:"thoughts",step:e,text:s[o.thoughts]??""}),o.reply!==void 0&&n.push({what:"\
reply",tab:"reply",step:e,text:s[o.reply]??""});let i=o.messages.map(({parts:r})=>r.map(([,a])=>s[a]??"").join("")).join(`

`);i&&n.push({what:"prompt",tab:"prompt",step:e,text:i})}}function na(n,t,e){let s=t.trim().toLowerCase();if(!s)return[];let o=[];for(let i of[...n].sort((r,a)=>+(r.
what==="prompt")-+(a.what==="prompt"))){let r=i.text.toLowerCase(),a=0;for(let c=0;c<3;c+=1){let h=r.indexOf(s,a);if(h<0)break;if(a=h+s.length,o.push({...i,...wu(
i.text,h,s.length)}),o.length===e)return o}}return o}function wu(n,t,e){let s=r=>r.replace(/\s+/g," "),o=Math.max(0,t-48),i=Math.min(n.length,t+e+48);return{before:s(
(o>0?"…":"")+n.slice(o,t)),match:s(n.slice(t,t+e)),after:s(n.slice(t+e,i)+(i<n.length?"…":""))}}async function oa(n){let t=new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(t).json()}function ia(n,t,e,s){let o=t.trim().
toLowerCase();if(!o)return[];let i=o.split(/\s+/),[r,a,c]=[[],[],[]];for(let[h,d]of n){if(h===s)continue;let u=h.toLowerCase(),p=d.toLowerCase();u===o?r.push(Nn(
h,d,0,0)):u.startsWith(o)?a.push(Nn(h,d,0,0)):i.every(f=>p.includes(f))&&c.push(ku(h,d,p,o,i))}return[...r,...a,...c].slice(0,e)}function ku(n,t,e,s,o){let i=e.
indexOf(s),r=i>=0?i:e.indexOf(o[0]);return Nn(n,t,r,i>=0?s.length:o[0].length)}function Nn(n,t,e,s){let o=Math.max(0,e-32),i=Math.min(t.length,e+s+90);return{id:n,
before:(o>0?"…":"")+t.slice(o,e),match:t.slice(e,e+s),after:t.slice(e+s,i)+(i<t.length?"…":"")}}var Pn=60,Rn=40,bu="This file holds one episode only; the app searches the whole run.",rs=class{constructor(t){this.player=t,this.hits=[],this.others=[],this.index=
[],this.chosen=0,this.passages=null;let e={input:()=>this.look(),keydown:s=>this.onKey(s)};this.field=l("input",{type:"search",class:"nv-search-field","aria-lab\
el":"Search",placeholder:t.options.runIndex?"Search this episode, and the run's ids and instructions":"Search prompts, thoughts, replies, landmarks",on:e}),this.
list=l("ol",{class:"nv-hits"}),this.note=l("p",{class:"nv-mute nv-search-note"}),this.box=l("dialog",{class:"nv-search","aria-label":"Search"},this.field,this.list,
this.note),t.root.append(this.box),this.box.addEventListener("focusout",s=>{this.box.contains(s.relatedTarget)||this.box.close()})}open(){this.player.pause(),this.
box.open||this.box.show(),this.field.focus(),this.field.select(),this.look(),this.readIndex()}async readIndex(){let t=await this.player.options.runIndex?.();!t||
t===this.index||(this.index=t,this.box.open&&this.look())}close(){this.field.blur(),this.box.close()}all(){let{doc:t,strings:e}=this.player;return this.passages?.
doc!==t&&(this.passages={doc:t,all:sa(t,e)}),this.passages.all}look(){let t=this.field.value;this.hits=na(this.all(),t,Pn),this.others=ia(this.index,t,Rn,this.player.
doc.episode.id),this.chosen=0,this.note.textContent=this.said(t);let e=this.hits.length;this.list.replaceChildren(...this.hits.map((s,o)=>this.row(s,o,s.step===
0?"start":`step ${s.step}`,s.what)),...this.others.map((s,o)=>this.row(s,e+o,"episode",s.id))),this.choose(0)}said(t){let e=this.player.options.file?bu:"";if(!t.
trim())return`↑ ↓ choose, enter goes there, escape leaves. ${e}`.trim();let s=[];return this.hits.length===Pn&&s.push(`The first ${Pn} places in this episod\
e.`),this.others.length===Rn&&s.push(`The first ${Rn} other episodes.`),this.hits.length||s.push(this.others.length||!this.index.length?"Nothing in this episode\
 says that.":"Nothing in this episode, and no other instruction of the run, says that."),[...s,e].join(" ").trim()}row(t,e,s,o){return l("li",{class:s==="episod\
e"?"nv-hit nv-hit-episode":"nv-hit",on:{mousedown:r=>r.preventDefault(),click:()=>this.go(e),mousemove:()=>this.choose(e)}},l("span",{class:"nv-hit-where",text:`${s}\
 · ${o}`}),l("span",{class:"nv-hit-text"},t.before,l("mark",{text:t.match}),t.after))}choose(t){this.chosen=Math.max(0,Math.min(this.hits.length+this.others.length-
1,t)),[...this.list.children].forEach((e,s)=>{e.classList.toggle("nv-on",s===this.chosen),s===this.chosen&&e.scrollIntoView({block:"nearest"})})}onKey(t){if(t.key===
"Escape")this.close();else if(t.key==="Enter")this.go(this.chosen);else if(t.key==="ArrowDown")this.choose(this.chosen+1);else if(t.key==="ArrowUp")this.choose(
this.chosen-1);else return;t.preventDefault(),t.stopPropagation()}go(t){let{player:e}=this,s=this.hits[t],o=this.others[t-this.hits.length];if(!(!s&&!o)){if(this.
close(),!s){e.options.onAction?.("open",e.step,o.id);return}e.go(s.step),s.tab&&(e.pane.open(s.tab),this.show(s))}}show(t){let{body:e}=this.player.pane,s=xu(e,t.
match.toLowerCase());if(!s?.startContainer.parentElement)return;let o=s.startContainer.parentElement;for(let i=o.closest("details");i;i=i.parentElement?.closest(
"details")??null)i.open=!0;this.player.pane.scrollToElement(o),getSelection()?.removeAllRanges(),getSelection()?.addRange(s)}};function xu(n,t){let e=document.createTreeWalker(
n,NodeFilter.SHOW_TEXT),s=[],o="";for(;e.nextNode();){let d=e.currentNode;s.push([d,o.length]),o+=d.data}let i=o.toLowerCase().indexOf(t);if(i<0)return null;let r=d=>s.
findLast(([,u])=>u<=d),a=r(i),c=r(i+t.length-1);if(!a||!c)return null;let h=document.createRange();return h.setStart(a[0],i-a[1]),h.setEnd(c[0],i+t.length-c[1]),
h}function ra(n){let t=[];return n.forEach((e,s)=>{let o=e.sub_goal??null,i=t.at(-1);i&&i.goal===o?i.to=s+1:t.push({goal:o,from:s+1,to:s+1})}),t}function aa(n,t,e,s){
let o=[0,...n.map(i=>i.from),e];return s>0?o.find(i=>i>t):o.findLast(i=>i<t)}var as=.2,ls=class{constructor(t,e,s){this.player=t,this.make(e,"column",t.main,"map and text"),this.make(s,"row",t.paneBox,"plan and thoughts")}make(t,e,s,o){t.
setAttribute("role","separator"),t.setAttribute("aria-orientation",e==="column"?"vertical":"horizontal"),t.title=`Drag to share the room between ${o}; double-cl\
ick for the first share`;let i=Z(`split.${e}`);typeof i=="number"&&this.set(s,e,i),t.addEventListener("pointerdown",r=>{r.preventDefault(),t.setPointerCapture(r.
pointerId),t.dataset.dragged="true"}),t.addEventListener("pointermove",r=>{if(!t.dataset.dragged)return;let a=vu(s,e,r);this.set(s,e,a),X(`split.${e}`,a)}),t.addEventListener(
"lostpointercapture",()=>{delete t.dataset.dragged}),t.addEventListener("dblclick",()=>{s.style.removeProperty(`--nv-${e}`),delete s.dataset[e],X(`split.${e}`,null)})}set(t,e,s){
t.style.setProperty(`--nv-${e}`,`${(100*Math.min(1-as,Math.max(as,s))).toFixed(2)}%`),t.dataset[e]="set"}};function vu(n,t,e){let s=n.getBoundingClientRect(),o=t===
"column"?(e.clientX-s.left)/s.width:(e.clientY-s.top)/s.height;return Math.min(1-as,Math.max(as,o))}function Su(n){let t=/^#([0-9a-f]{6}|[0-9a-f]{3})/i.exec(n)?.[1],e;return t?e=(t.length===3?[...t].map(o=>o+o):t.match(/../g)??[]).map(o=>Number.parseInt(o,16)):
e=/rgba?\(([^)]+)\)/.exec(n)?.[1].split(/[ ,/]+/).slice(0,3).map(Number),e?(.2126*e[0]+.7152*e[1]+.0722*e[2])/255:null}function D(n){let t=getComputedStyle(n.parentElement??
n).getPropertyValue("--st-background-color").trim(),e=t?Su(t):null;return e!==null?e>.5?"light":"dark":matchMedia("(prefers-color-scheme: dark)").matches?"dark":
"light"}var V=class{constructor(t){this.root=t,this.values=new Map}get(t){let e=`${this.root.dataset.theme} ${t}`,s=this.values.get(e)??getComputedStyle(this.root).
getPropertyValue(`--nv-${t}`).trim();return this.values.set(e,s),s}};var Mu=250,cs=class{constructor(t,e){this.player=t,this.dragging=!1,this.track=l("div",{class:"nv-track",role:"slider",tabindex:0,"aria-label":"Step","aria-valu\
emin":0}),this.track.addEventListener("pointerdown",s=>this.grab(s)),this.track.addEventListener("pointermove",s=>{s.buttons===1&&this.dragging&&this.seek(s)}),
this.track.addEventListener("pointerup",()=>{this.dragging=!1}),e.append(this.track),this.rows=new he(this,this.track),this.cursor=l("div",{class:"nv-cursor"}),
this.gutter=void 0,this.count=0,this.segments=[],this.segmentNodes=[],this.build()}get doc(){return this.player.doc}build(){this.count=this.doc.steps.length,this.
segments=ra(this.doc.steps),this.segmentNodes=this.segments.map((t,e)=>this.segment(t,e)),this.track.replaceChildren(this.distances(),this.label(),...this.segmentNodes,
...this.skills(),...this.cells(),...this.marks(),this.cursor),this.gutter?.remove(),this.player.breaks&&(this.gutter=Hr(this.player,t=>this.left(t)),this.track.
after(this.gutter)),this.rows.build(),this.track.setAttribute("aria-valuemax",String(this.count))}left(t){return 100*t/(this.count+1)}middle(t){return 100*(t+.5)/
(this.count+1)}label(){let t=this.doc.steps.some(o=>o.to_goal_m!==void 0||o.to_target_m!==void 0),e=this.doc.stages.length?"distance to target":"distance to goa\
l",s=this.left(1)<7?"":t?e:"start";return l("div",{class:"nv-track-label",style:{width:`${this.left(1)}%`},text:s})}segment({goal:t,from:e,to:s},o){let i=this.doc.
steps[e-1].plan??this.doc.planning.sub_goals,r=t===null?void 0:i[t],a=t===null?"":`${t+1}  ${r?(this.player.strings[r[0]]??"").slice(0,300):""}`,c=`nv-segment${o%
2?" nv-odd":""}${t===null?" nv-unplanned":""}`,h={left:`${this.left(e)}%`,width:`${this.left(s+1)-this.left(e)}%`};return l("div",{class:c,title:a,style:h},l("s\
pan",{text:a}))}cells(){return this.count>Mu?[]:Array.from({length:this.count+1},(t,e)=>l("div",{class:"nv-tick",style:{left:`${this.left(e)}%`}}))}skills(){let{
doc:t}=this;return Dt(t.steps,0,this.count).flatMap(({skill:e,back:s,from:o,to:i})=>{let r=N(t,e);if(e===void 0||!r)return[];let a=i-o>1?`Steps ${o+1} to ${i}`:
`Step ${i}`,c={left:`${this.left(o+1)}%`,width:`${this.left(i+1)-this.left(o+1)}%`,"background-color":r},h=`${a}: ${t.skills?.[e]?.name}${s?", back to the best \
stop":""}`;return[l("div",{class:"nv-track-skill",title:h,style:c,data:{skill:e}})]})}marks(){let{doc:t}=this,e=[],s=(r,a,c)=>{let h={mark:a,step:r};e.push(l("d\
iv",{class:`nv-mark nv-mark-${a}`,title:`Step ${r}: ${c}`,data:h,style:{left:`${this.middle(r)}%`}}))};t.steps.forEach((r,a)=>{r.decision&&!r.decision.legal?s(a+
1,"illegal","illegal decision"):r.retries&&s(a+1,"retry","retried"),r.edits&&s(a+1,"edited",`edited ${r.edits.map(({what:c})=>c).join(", ")}`)});let o=t.divergence;
o?.step&&s(o.step,"divergence",o.sentence??"leaves the reference path"),o?.returned_step&&s(o.returned_step,"returned","back on the reference path");let i=t.compare?.
first_difference;return i&&i<=this.count&&s(i,"difference","first difference to the run compared"),t.forked_from?.step&&s(Math.min(t.forked_from.step,this.count),
"fork","forked here"),t.end&&this.count&&s(this.count,"stop",`the end (${t.end.status})`),e}distances(){let{stages:t}=this.doc,e=this.doc.steps.map(d=>t.length?
d.to_target_m:d.to_goal_m),s=y("svg",{class:"nv-distances",viewBox:"0 0 100 100",preserveAspectRatio:"none","aria-hidden":"true"}),o=e.filter(d=>d!==void 0);if(o.
length<2)return s;let i=this.doc.episode.success_radius_m,r=Math.max(...o,i*2),a=d=>96-88*d/r,c=(d,u)=>d===void 0?[]:[[this.middle(u+1),a(d)]],h=t.length?t.map(
({first:d,last:u})=>[d??1,u??0]):[[1,e.length]];for(let[d,u]of h){let p=e.slice(d-1,u).flatMap((m,b)=>c(m,d-1+b));if(p.length<2)continue;let f=p.map(m=>m.join("\
,")).join(" ");s.append(y("polygon",{points:`${p[0][0]},100 ${f} ${p[p.length-1][0]},100`}),y("polyline",{points:f,"vector-effect":"non-scaling-stroke"}))}return s.
append(y("line",{x1:0,x2:100,y1:a(i),y2:a(i),"vector-effect":"non-scaling-stroke"})),s}show(t){this.cursor.style.setProperty("left",`${this.middle(t)}%`),this.rows.
show(t),this.track.setAttribute("aria-valuenow",String(t)),this.segments.forEach(({from:e,to:s},o)=>{this.segmentNodes[o].classList.toggle("nv-now",t>=e&&t<=s)})}grab(t){
t.button===0&&(this.dragging=!0,this.track.setPointerCapture(t.pointerId),t.preventDefault(),this.seek(t))}seek(t){let e=this.track.getBoundingClientRect(),s=(t.
clientX-e.left)/e.width;this.player.pause(),this.player.go(Math.floor(s*(this.player.count+1)))}};var Tu=2400,Eu=2,$u=320,hs=class{constructor(t,e){this.player=t,this.speed=Eu,this.timer=null,this.playButton=this.button("play","Play (space)",()=>this.toggle()),
this.where=l("span",{class:"nv-step",role:"status","aria-live":"polite"}),this.tally=l("span",{class:"nv-tally"}),this.speedBox=this.speeds(),e.append(this.bar())}button(t,e,s){
return _(t,e,s,{press:t})}bar(){let{player:t}=this;return l("div",{class:"nv-transport"},this.button("first","Start (home)",()=>t.go(0)),this.button("previous",
"Step back (←)",()=>t.go(t.step-1)),this.playButton,this.button("next","Step on (→)",()=>t.go(t.step+1)),this.button("last","End (end)",()=>t.go(t.count)),this.
speedBox,this.where,l("span",{class:"nv-gap"}),this.tally,t.whatIf.possible?this.whatIf():null,(t.options.actions??[]).filter(({label:e})=>e).map(e=>this.action(
e)),this.button("search","Search (ctrl + k)",()=>t.search.open()),this.button("keys","Keys (?)",()=>t.help.toggle()),this.button("present","Present (f)",()=>t.present()))}action({
name:t,label:e}){return l("button",{type:"button",class:"nv-action",data:{action:t},on:{mousedown:w,click:()=>this.player.options.onAction?.(t,this.player.step)},
text:e})}whatIf(){return l("button",{type:"button",class:"nv-action nv-whatif-button",title:"What if it had taken another link (x)",on:{mousedown:w,click:()=>this.
player.whatIf.turn()},text:"What if"})}speeds(){let t=Array.from({length:9},(o,i)=>l("option",{value:i+1,text:`${i+1}×`})),s=l("select",{class:"nv-speed",title:"\
Speed (1 – 9)","aria-label":"Speed",on:{change:()=>{this.setSpeed(Number(s.value)),s.blur()}}},t);return s.value=String(this.speed),s}show(t){let{player:e}=this;
this.where.replaceChildren(l("b",{text:`Step ${e.step}`}),` of ${e.count}`);let s=t.partial?"+":"";this.tally.replaceChildren(this.fact("tokens",t.tokens===void 0?
"–":$(t.tokens)+s,"Tokens so far; a dash where the log does not say"),this.fact("time",ae(t.seconds),"Time of the model calls so far"),t.list_price?this.fact(
"list price",gt(t.cost_usd),"Cost so far at list price; the log does not state what was paid"):this.fact("cost",gt(t.cost_usd),"Cost so far"))}fact(t,e,s){return l(
"span",{title:s,class:e==="–"?"nv-unknown":""},l("i",{text:t}),e)}get playing(){return this.timer!==null}toggle(){this.playing?this.pause():this.play()}play(){
let{player:t}=this;if(!t.count)return;t.atEnd&&!t.doc.running&&t.go(0);let e=(t.doc.free?$u:Tu)/this.speed;t.root.style.setProperty("--nv-step-time",`${Math.round(
e)}ms`),this.timer=setInterval(()=>this.tick(),e),this.playButton.replaceChildren(re("pause")),t.root.dataset.playing="true"}tick(){this.player.atEnd?this.pause():
this.player.go(this.player.step+1)}pause(){this.timer!==null&&(clearInterval(this.timer),this.timer=null,this.playButton.replaceChildren(re("play")),this.player.
root.dataset.playing="false")}setSpeed(t){this.speed=t,this.speedBox.value=String(t),this.playing&&(this.pause(),this.play())}};var Lu={2:6,3:3};function Au(n,t){let e=10**Lu[t],s=Array.from({length:t},()=>0),o=[];for(let i=0;i<n.length;i+=t){for(let r=0;r<t;r+=1)s[r]+=n[i+r];o.push(s.map(
r=>r/e))}return o}function Ou(n,t,e){let s=t!==null&&t<=e;return n.success?s?"holds":"ruins":s?"mends":t!==null&&n.ne_m!==void 0&&t<n.ne_m?"nearer":"farther"}function la(n){
let t=n.what_if,e=new Map;if(!t)return e;let s=Au(t.at,n.frame==="geo"?2:3);for(let[r,,a,c,h]of t.cells){let d=[];for(let f=0;f<a.length;f+=2)d.push(...s.slice(
a[f],a[f]+a[f+1]));let u={step:r,tail:d,ne:c,reference:(h&1)!==0,unstable:(h&2)!==0,outcome:Ou(t,c,n.episode.success_radius_m)},p=e.get(r)??[];p.push(u),e.set(r,
p)}let o=r=>r.ne??Number.POSITIVE_INFINITY,i=r=>r.reference&&r.outcome==="mends"?0:1;for(let r of e.values())r.sort((a,c)=>i(a)-i(c)||o(a)-o(c));return e}function ca(n,t,e){
return e>0?n.find(s=>s>t):n.findLast(s=>s<t)}var ha="what-if",_u=3.4,Dn={mends:"reaches the goal",holds:"still reaches the goal",nearer:"ends nearer",farther:"ends no nearer",ruins:"misses the goal"},ds=class{constructor(t,e){
this.player=t,this.on=!1,this.asked=!1,this.strip=l("div",{class:"nv-whatif-strip",role:"group","aria-label":"Best end of each step"}),this.line=l("p",{class:"n\
v-whatif-line",role:"status"}),this.box=e,e.append(this.strip,this.line),e.hidden=!0,this.steps=new Map,this.chosen=null,this.build()}get entry(){return this.player.
doc.what_if}get possible(){return!!this.entry||!!this.player.options.actions?.some(({name:t})=>t===ha)}get digits(){return this.player.doc.frame==="geo"?0:1}build(){
this.steps=la(this.player.doc),this.steps.size||(this.on=!1);let{timeline:t}=this.player,e=[...this.steps].map(([o,[i]])=>{let r=t.left(o+1)-t.left(o),a=i.ne===
null?"":k(i.ne,this.digits),c=this.steps.get(o)?.some(d=>d.unstable),h={mousedown:w,click:()=>this.player.jump(o)};return l("button",{type:"button",class:`nv-wh\
atif nv-whatif-${i.outcome}${c?" nv-unstable":""}`,style:{left:`${t.left(o)}%`,width:`${r}%`},title:`Step ${o}: ${this.words(i)}${c?"; unstable":""}`,data:{step:o},
on:h},this.entry?.decisive.includes(o)?l("b",{class:"nv-decisive",text:"◆"}):null,r<_u?null:a)}),s=t.left(1)<7?"":this.entry?.follows?"reading on":"best other\
 link";this.strip.replaceChildren(l("span",{class:"nv-track-label",style:{width:`${t.left(1)}%`},text:s}),...e),this.box.hidden=!this.on}turn(t=!this.on){if(t&&
!this.entry){this.asked=!0,this.player.act(ha);return}if(this.asked=!1,t===this.on||t&&!this.steps.size)return;this.on=t,this.box.hidden=!t;let{player:e}=this;e.
root.classList.toggle("nv-with-whatif",t),e.map.whatIf?.show(t?[...this.steps.values()].flat():[],o=>this.point(o));let[s]=this.entry?.decisive??[];t&&e.step===
0&&e.go(s??Math.min(...this.steps.keys())),this.show(e.step),e.map.resize()}show(t){this.on&&this.choose(this.steps.get(t)?.[0]??null)}point(t){t.step!==this.player.
step&&this.player.jump(t.step),this.choose(t)}next(t){let e=this.steps.get(this.player.step)??[];if(!e.length)return;let s=this.chosen?e.indexOf(this.chosen):-1;
this.choose(e[(s+t+e.length)%e.length])}toDecisive(t){let e=ca(this.entry?.decisive??[],this.player.step,t);e!==void 0&&(this.player.jump(e),this.turn(!0))}choose(t){
this.chosen=t,this.player.map.whatIf?.choose(t);let{entry:e}=this,s=this.steps.get(this.player.step)??[],o=t&&s.length>1?` (link ${s.indexOf(t)+1} of ${s.length}\
, ↑ ↓)`:"",i=t?`${this.words(t)}${this.unseen(t)}${o}`:"No other link in this step.",r=t?.reference&&t.outcome==="mends"&&e?.decisive.length===1,a=e?.left_out?
` ${e.left_out} links are not shown.`:"";this.line.replaceChildren(l("b",{class:t?`nv-whatif-${t.outcome}`:"",text:i}),l("span",{class:"nv-mute",text:` ${r?"":(e?.
sentence??"").replaceAll("`","")}${a}`}))}unseen(t){if(t.tail.length<2)return" It stays where it stands.";if(t.tail.length===2)return" It stops at the next plac\
e.";let e=this.player.map.whatIf?.view;return!e||e.placeHere(t.tail[t.tail.length-1])?"":" It ends on another floor."}words(t){let{entry:e,digits:s}=this,o=t.reference?
"the reference's link":"this link",i=e?.follows?`${e.who}, reading on from here,`:`With ${o}, ${e?.who}`,r=t.ne===null?"":`: ${k(t.ne,s)} from it instead of ${k(
e?.ne_m,s)}`,a=Dn[t.outcome].includes("goal")?Dn[t.outcome]:`${Dn[t.outcome]} to the goal`,c=t.unstable?" Unstable: the link it took ends otherwise, too, so not\
hing is claimed.":"";return`${i} ${a}${r}.${c}`}};var Vt={prompt:"prompt",thoughts:"thoughts",reply:"reply"},Cu={instruction:"Instruction",prompt:"Prompt",thoughts:"Thoughts",reply:"Reply",plan:"Plan",map:"Map",
decision:"Decision",setting:"Setting"},da="nv-proof";function Iu(n){let t=Cu[n.source]??n.source;return n.step===void 0?t:`${t}, step ${n.step}`}function Bn(n,t){
return l("li",{},l("button",{type:"button",class:"nv-quote",title:"Show where it stands",on:{mousedown:w,click:t}},l("b",{text:Iu(n)}),l("span",{text:n.text})))}
var us=class{constructor(t){this.player=t,this.open=!1}get cause(){return we(this.player.doc)}get others(){return this.player.doc.causes?.all.filter(t=>t!==this.
cause)??[]}get repair(){let{doc:t,options:e}=this.player;return e.actions?.some(({name:s})=>s==="repair")?t.causes?.repair:void 0}walkRepair(t){let{player:e}=this;
e.pause(),e.options.onAction?.("repair",e.step,void 0,t)}repairButton(t,e,s){let o={mousedown:w,click:()=>this.walkRepair(s)},i=`Walk again: ${e}${s===void 0?" \
(r)":""}`;return l("button",{type:"button",class:"nv-small nv-repair-button",title:i,text:t,on:o})}rows(){let{causes:t}=this.player.doc;if(!t)return[];let{cause:e,
repair:s}=this,o=s?this.repairButton("Repair",s):null;if(!e){let u=t.unchecked?l("p",{class:"nv-note nv-no-cause",text:t.unchecked}):null;return o?[l("div",{class:"\
nv-cause"},u,o)]:u?[u]:[]}let i={mousedown:w,click:()=>this.player.toCause()},r={mousedown:w,click:()=>this.turn()},a=this.others.length?` and ${this.others.length}\
 more`:"",c=e.grade==="hint",d=l("div",{class:c?"nv-cause nv-hint":"nv-cause"},c?l("span",{class:"nv-hint-mark",text:"hint",title:"A hint: its kind is not shown\
 to be right in 85 of 100 hits that nobody had seen"}):null,l("button",{type:"button",class:"nv-cause-sentence",title:"Go to the step where it began (c)",on:i},
g(this.player.linker,e.sentence)),l("button",{type:"button",class:"nv-small nv-proof-button","aria-expanded":String(this.open),text:this.open?"Hide proof":`Proo\
f${a}`,on:r}),o);return this.open?[d,this.proof(e)]:[d]}proof(t){let e=l("ul",{class:"nv-quotes","aria-label":"Proof"},t.quotes.map(s=>Bn(s,()=>this.show(s))));
for(let s of this.others){let o=s.grade==="hint"?"Hint":"Also",i={mousedown:w,click:()=>this.player.jump(s.step)},r=`${o}, step ${s.step}: ${s.sentence}`,a=l("l\
i",{},l("button",{type:"button",class:"nv-quote nv-mute",text:r,on:i})),c=this.player.doc.causes?.all.indexOf(s);this.repair&&s.repair&&a.append(this.repairButton(
"Repair this",s.repair,c)),e.append(a)}return e}turn(){this.open=!this.open,this.player.head.showNotes(),this.player.map.resize()}show(t){let{player:e}=this;t.step!==
void 0&&e.jump(t.step);let s=Vt[t.source];s&&e.pane.open(s),s&&!this.ranges(t).length&&e.pane.calls.showRaw(),this.mark([t],!0),t.at&&e.map.closeUp(t.at)}markHere(){
let{cause:t,player:e}=this,s=t?.quotes.filter(({step:i})=>i===void 0||i===e.step)??[],o=e.doc.divergence;o?.words&&o.step===e.step&&s.push({source:"instruction",
text:o.words}),this.mark(s,!1)}mark(t,e){let{highlights:s}=CSS;if(!s)return;let o=t.flatMap(r=>this.ranges(r));o.length?s.set(da,new Highlight(...o)):s.delete(da);
let i=o[0]?.startContainer.parentElement;e&&i&&this.player.pane.scrollToElement(i)}ranges(t){let{pane:e}=this.player;return Vt[t.source]?Vt[t.source]===e.shown?
ua(e.body,t.text,1):[]:t.source==="instruction"||t.source==="plan"?ua(e.top,t.text,1):[]}};function ua(n,t,e){let s=[],o="",i=document.createTreeWalker(n,NodeFilter.
SHOW_TEXT);for(let c=i.nextNode();c;c=i.nextNode()){let{data:h}=c;for(let d=0;d<h.length;d+=1){let u=/\s/.test(h[d]);u&&(o===""||o.endsWith(" "))||(o+=u?" ":h[d].
toLowerCase(),s.push({node:c,at:d}))}}let r=t.replace(/\s+/g," ").trim().toLowerCase(),a=[];if(!r||o.length!==s.length)return a;for(let c=o.indexOf(r);c>=0&&a.length<
e;c=o.indexOf(r,c+1)){let h=document.createRange(),d=s[c+r.length-1];h.setStart(s[c].node,s[c].at),h.setEnd(d.node,d.at+1),a.push(h)}return a}function pa(n,t){return typeof t=="number"&&(n.style.height=`${t}px`),t!=="fill"?()=>{}:zn(n,()=>n.clientWidth<=560?620:n.clientWidth<700?1e3:460)}function zn(n,t){
let e=()=>{let o=n.getBoundingClientRect().top;for(let i=n.parentElement;i;i=i.parentElement)o+=i.scrollTop;n.style.height=`${Math.max(t(),window.innerHeight-Math.
min(o,360)-12)}px`},s=new ResizeObserver(e);for(let o=n.parentElement;o;o=o.parentElement)s.observe(o);return window.addEventListener("resize",e),e(),()=>{s.disconnect(),
window.removeEventListener("resize",e)}}var ps=class{constructor(t){this.player=t,this.places=new Map}clear(){this.places.clear()}resolve(t,e){let s=`${e} ${t}`,o=this.places.get(s);if(!o){let{doc:i}=this.
player;o=t.startsWith("n:")?tt(i,Number(t.slice(2))):this.namedPlace(t,e),this.places.set(s,o)}return o}namedPlace(t,e){let{doc:s}=this.player,o=c=>c.filter(h=>O(
h.name)===t&&h.at),i=c=>o(c?.observation?.pois??[]),r=i(s.steps[e-1]);r.length||(r=s.steps.flatMap(i)),r.length||(r=o(s.pois)),r.length||(r=o(s.planning.landmarks));
let a=r.map(c=>c.node).filter(c=>typeof c=="number");return{label:r[0]?.name??t.slice(2),nodes:a,at:r.flatMap(c=>c.at?[c.at]:[])}}light(t){let{root:e}=this.player;
for(let s of e.querySelectorAll(".nv-ref.nv-lit"))s.classList.remove("nv-lit");for(let s of t)for(let o of e.querySelectorAll(`[data-ref="${CSS.escape(s)}"]`))o.
classList.add("nv-lit")}};var fa=new Map;async function Xt(n){if(Array.isArray(n))return n;let t=[n.gzip,...n.more??[]],e=fa,s=new Map(t.map(o=>[o,e.get(o)??Hn(o)]));return fa=s,(await Promise.
all(t.map(o=>s.get(o)??[]))).flat()}async function Hn(n){let t=Uint8Array.from(atob(n),s=>s.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream(
"gzip"));return new Response(e).json()}var j=class n{static async mount(t,e,s={}){return new n(t,e,s,await Xt(e.strings))}constructor(t,e,s,o){this.root=t,this.options={deepLink:!0,...s},this.doc=e,this.
strings=o,this.linker=new zt(e),this.references=new ps(this),this.address=new ts(this),this.step=this.address.start();let{atCause:i}=this.address;this.stopped=new AbortController,
this.updates=0,this.hovered=null,this.colors=new V(t),this.prepareRoot(),this.mapBox=l("div",{class:"nv-map"}),this.paneBox=l("div",{class:"nv-pane"});let r=l("\
header",{class:"nv-head"}),a=l("div",{class:"nv-notes"}),c=l("footer",{class:"nv-foot"}),h=l("div",{class:"nv-split nv-split-column"});this.main=l("div",{class:"\
nv-main"},this.mapBox,h,this.paneBox);let d=l("div",{class:"nv-frame"},r,a,this.main,c);t.append(d),this.phone=new ns(t,d),this.takeHeight(),this.why=new us(this),
this.head=new Ne(this,r,a),this.head.show(),this.pictures=new Et(this),this.look=new st(this),this.pane=new Je(this,this.paneBox),this.strip=new Qe(this,c.appendChild(
l("div",{class:"nv-strip"}))),this.timeline=new cs(this,c.appendChild(l("div",{class:"nv-line"}))),this.whatIf=new ds(this,c.appendChild(l("div",{class:"nv-what\
if-box"}))),this.transport=new hs(this,c),this.help=new es(this),this.search=new rs(this),this.presenter=new is(this),this.splits=new ls(this,h,this.pane.split);
let u=e.frame==="geo"?vt:xt;this.map=new u(this.mapBox,e,this.mapApi()),this.listen(),this.show(),i?this.toCause():this.pane.beside?.start(),this.phone.open(a.childElementCount?
"why":"plan"),qr(this)}prepareRoot(){let{root:t,doc:e}=this;t.replaceChildren(),t.classList.add("navviz-player"),t.dataset.ready="false",t.dataset.theme=this.options.
theme??D(t),t.dataset.episode=e.episode.id,t.dataset.steps=String(this.count),t.dataset.free=String(e.free);let s=e.steps.some(({calls:o,observation:i,views:r})=>o.
length||i||r);t.dataset.words=String(e.running||!e.steps.length||s),this.options.shows&&(t.dataset.shows=this.options.shows)}get count(){return this.doc.steps.length}get atEnd(){
return this.step===this.count}get current(){return this.step===0?null:this.doc.steps[this.step-1]}text(t){return this.strings[t]??""}nodeMark(t,e){return Pr(this.
doc,t,e)}mapApi(){let t=this;return{get doc(){return t.doc},options:this.options,resolve:(e,s)=>this.references.resolve(e,s),hover:e=>this.lightText(e),pick:e=>this.
pane.scrollTo(e),mentions:e=>this.paneBox.querySelectorAll(`[data-ref="${CSS.escape(e)}"]`).length,color:e=>this.colors.get(e),focus:()=>Cn(this),breakAt:this.breaks?
e=>this.breakAt({node:e}):void 0}}lightText(t){this.references.light(t)}go(t){let e=Math.max(0,Math.min(this.count,t));e!==this.step&&(this.step=e,this.show(),this.
address.remember(),this.options.onStep?.(e))}show(){let{current:t}=this;this.linker.setStep(t),this.pane.show(t),this.presenter.fitType(),this.timeline.show(this.
step),this.strip.show(this.step),this.pictures.ahead(this.step),this.map.showStep(this.step),this.whatIf.show(this.step),this.transport.show(t?.so_far??this.doc.
planning.so_far),this.why.markHere(),this.root.dataset.step=String(this.step),this.root.dataset.ready!=="true"&&requestAnimationFrame(()=>requestAnimationFrame(
()=>this.painted()))}painted(){this.stopped.signal.aborted||(this.root.dataset.ready="true")}repaintPane(){this.pane.show(this.current),this.presenter.fitType(),
this.why.markHere()}toDivergence(){let t=this.doc.divergence?.step??this.doc.compare?.first_difference;t&&(this.pause(),this.go(t),this.nearStep())}toCause(){let{
cause:t}=this.why;if(!t){this.toDivergence();return}this.pause(),this.go(t.step),this.nearStep(t.quotes.flatMap(({at:s})=>s?[s]:[]));let e=t.quotes.find(({step:s,
source:o})=>s===t.step&&o in Vt)?.source;e&&this.pane.open(e)}nearStep(t){let e=this.current?.node,s=typeof e=="number"?tt(this.doc,e).at[0]:void 0;s&&this.map.
closeUp(s,t)}toSubGoal(t){let e=this.doc.steps.findIndex(s=>s.sub_goal===t);e<0||(this.pause(),this.go(e+1))}toStage(t){let e=this.doc.stages[t]?.first;e!==void 0&&
this.jump(e)}jump(t){this.pause(),this.go(t)}bySubGoal(t){let{stages:e}=this.doc,s=e.length?ao(e,this.step,this.count,t):aa(this.timeline.segments,this.step,this.
count,t);s!==void 0&&this.go(s)}toEpisode(t){this.pause(),this.options.onAction?.(t,this.step)}act(t){this.options.onAction?.(t,this.step)}get breaks(){return this.
options.actions?.some(({name:t})=>t==="break")??!1}breakAt(t){this.options.onAction?.("break",this.step,void 0,void 0,t)}toggle(){this.transport.toggle()}pause(){
this.transport.pause()}present(t){this.presenter.turn(t)}listen(){let{signal:t}=this.stopped,{root:e}=this;e.addEventListener("pointerdown",()=>Cn(this),{signal:t}),
e.addEventListener("mouseover",r=>this.onHover(r),{signal:t}),e.addEventListener("click",r=>this.onClick(r),{signal:t}),matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",()=>this.followTheme(),{signal:t});let{navigation:s}=window;s?.addEventListener("currententrychange",()=>this.address.keep(),{signal:t});
let o=new ResizeObserver(()=>this.map.resize());o.observe(this.mapBox);let i=new MutationObserver(()=>this.followTheme());for(let r=e.parentElement;r;r=r.parentElement)
i.observe(r,{attributes:!0,attributeFilter:["class","style"]});t.addEventListener("abort",()=>{o.disconnect(),i.disconnect()})}onHover(t){let e=mt(t);e!==this.hovered&&
(this.hovered=e,this.lightText(e?[e]:[]),this.map.highlight(e?[e]:[]))}onClick(t){if(t.altKey&&this.breaks&&Fr(this,t))return;let e=mt(t);!e||this.mapBox.contains(
t.target)||(t.stopPropagation(),this.map.panTo(e))}followTheme(){let t=this.options.theme??D(this.root);t!==this.root.dataset.theme&&(this.root.dataset.theme=t,
this.map.setTheme())}takeHeight(){this.stopped.signal.addEventListener("abort",pa(this.root,this.options.height))}async update(t){let e=++this.updates,s=await Xt(
t.strings);if(e!==this.updates||this.stopped.signal.aborted)return;let o=this.atEnd;this.doc=t,this.strings=s,this.linker=new zt(t),this.references.clear(),this.
step=o?this.count:Math.min(this.step,this.count),this.root.dataset.steps=String(this.count),this.root.dataset.episode=t.episode.id,this.head.show(),this.timeline.
build(),this.strip.build();let i=this.whatIf.on||this.whatIf.asked;this.whatIf.turn(!1),this.whatIf.build(),this.map.update(t),i&&t.what_if&&this.whatIf.turn(!0),
this.show()}destroy(){this.pause(),this.address.forget(),this.presenter.turn(!1),this.stopped.abort(),Ur(this),this.map.destroy(),this.root.replaceChildren(),this.
root.removeAttribute("data-ready")}};var Nu=new Set([" ","PageDown","ArrowRight"]),Pu=new Set(["PageUp","ArrowLeft"]),fs=class{constructor(t,{slides:e,documents:s}){this.root=t,this.slides=e,this.documents=
s,this.at=0,this.turns=0,this.player=void 0,this.shown=void 0,this.text=l("p",{}),this.number=l("span",{}),this.caption=l("div",{class:"nv-caption",role:"status"},
this.text,this.number),window.addEventListener("keydown",i=>this.onKey(i),!0);let o=Number(location.hash.slice(1))-1;this.show(o in e?o:0)}onKey(t){let{key:e,target:s}=t;
if(!(t.ctrlKey||t.metaKey||t.altKey||t.shiftKey)&&!(s instanceof Element&&s.closest("input, select, textarea"))){if(Nu.has(e))this.show(this.at+1);else if(Pu.has(
e))this.show(this.at-1);else if(e==="f")this.fill();else return;t.preventDefault(),t.stopImmediatePropagation()}}fill(){this.player?.present(!0),(document.fullscreenElement?
document.exitFullscreen():document.documentElement.requestFullscreen?.())?.catch(()=>{})}async show(t){let e=this.slides[t];if(!e)return;this.at=t;let s=++this.
turns;if(history.replaceState(null,"",`#${t+1}`),e.document!==this.shown){let o=await this.mount(e);if(s!==this.turns)return ma(o);let i=this.player?.presenter.
on??!0;this.write(e,o),o.present(i),ma(this.player),this.player=o,this.shown=e.document}else this.player&&(this.player.pause(),this.player.whatIf.turn(!1),this.
write(e,this.player),this.player.go(e.step),this.player.presenter.fitType());this.root.dataset.slide=String(t+1)}async mount({document:t,step:e}){let s=await Hn(
this.documents[t]),o=l("div",{});this.root.append(o);let i={file:!0,deepLink:!1,fullscreen:!1,step:e};return j.mount(o,s,i)}write({caption:t},e){this.text.textContent=
t,this.number.textContent=`${this.at+1} of ${this.slides.length}`,e.root.querySelector(".nv-frame")?.prepend(this.caption)}};function ma(n){n?.destroy(),n?.root.
remove()}var oo={};El(oo,{mount:()=>Qp});var Fn=new WeakMap;async function ga(n,t){let e=t.parentElement,s=(Fn.get(e)??0)+1;Fn.set(e,s);let o=await n(t);return()=>{Fn.get(e)===s&&typeof o=="function"&&
o()}}function ot(n){let t=n instanceof Uint8Array?n:new Uint8Array(n),e=t.indexOf(10);return{digest:new TextDecoder().decode(t.subarray(0,e)),bytes:t.subarray(e+
1)}}function Zt(n){return JSON.parse(new TextDecoder().decode(n))}var Ru='[data-testid="stApp"]',jn="data-test-connection-state",Du=1500,Bu="Connection error",zu="The server does not answer. What is on this page goes on workin\
g; the page comes back by itself.",Hu="The connection is lost. What is on this page goes on working; reload it to go on.",ya=!1;function wa(){let n=document.querySelector(
Ru);if(ya||!n)return;ya=!0;let t=l("div",{class:"nv-away",role:"status",hidden:!0});document.body.append(t);let e,s=()=>{let o=n.getAttribute(jn);clearTimeout(e),
o==="CONNECTED"?t.hidden=!0:e=setTimeout(()=>{t.hidden=!1,t.textContent=o==="DISCONNECTED_FOREVER"?Hu:zu},Du)};new MutationObserver(s).observe(n,{attributeFilter:[
jn]}),new MutationObserver(()=>{if(n.getAttribute(jn)!=="CONNECTED")for(let o of document.querySelectorAll('body > * [role="dialog"]'))o.querySelector("h2")?.textContent===
Bu&&o.querySelector("button")?.click()}).observe(document.body,{childList:!0})}function ka(n,t){return n.entries.filter(s=>s.item.episode===t.episode).length>1?`${t.episode}~${t.claim||t.run}`:t.episode}function ba(n){let t=new URLSearchParams(
location.search),e=t.get("item");return e===null||t.get("queue")!==n.queue?-1:n.entries.findIndex(({item:s})=>ka(n,s)===e)}function Wn(n,t){let e=new URL(location.
href),s=ka(n,t);if(!(e.searchParams.get("queue")===n.queue&&e.searchParams.get("item")===s)){e.searchParams.set("queue",n.queue),e.searchParams.set("item",s);try{
history.replaceState(history.state,"",e)}catch{}}}function ms(n,t){let e=new URLSearchParams(location.search).get("queue");(e===null||e===n.queue)&&Wn(n,t)}function xa(n){
let t=new URL(location.href);!t.searchParams.has("item")||t.searchParams.get("queue")!==n.queue||(t.searchParams.delete("queue"),t.searchParams.delete("item"),history.
replaceState(history.state,"",t))}var va=[1e3,2e3,4e3,8e3,15e3],x=n=>JSON.stringify([n.dataset,n.episode,n.run,...n.claim?[n.claim]:[]]),gs=class{constructor({owner:t,storage:e,send:s,onAnswer:o,
onChange:i,now:r=Date.now,name:a=ju()}){this.prefix=`navviz:outbox:${t}:`,this.storage=e,this.deliver=s,this.onAnswer=o,this.onChange=i,this.now=r,this.name=a,this.
count=0,this.stamp=0,this.waiting=new Map,this.out=null,this.failures=0,this.again=0,this.trouble="",this.chains=new Map,this.adopt()}adopt(t=Number.POSITIVE_INFINITY){
for(let s=0;s<this.storage.length;s+=1){let o=this.storage.key(s);if(!o?.startsWith(this.prefix)||this.waiting.has(o)||Number(o.slice(this.prefix.length).split(
":")[0])>t)continue;let i=Fu(this.storage.getItem(o));i&&this.waiting.set(o,i)}this.waiting=new Map([...this.waiting].sort(([s],[o])=>s<o?-1:1));let e=new Set(this.
chains.keys());for(let{item:s,kind:o,id:i,seen:r}of this.actions)s&&(o==="save"||o==="undo")&&!e.has(x(s))&&this.chains.set(x(s),{after:i,seen:r})}knows(t,e){this.
holds(t)||this.chains.set(x(t),{after:null,seen:e})}add(t){this.count+=1;let e=`${this.name}-${this.count}`,s=t.item&&this.chains.get(x(t.item))||{after:null,seen:0},
o={value:null,seconds:0,reason:null,...t,id:e,seen:s.seen,after:s.after};t.item&&(t.kind==="save"||t.kind==="undo")&&this.chains.set(x(t.item),{after:e,seen:s.seen}),
this.stamp=Math.max(this.stamp,this.now());let i=`${String(this.stamp).padStart(14,"0")}:${String(this.count).padStart(8,"0")}`,r=`${this.prefix}${i}:${this.name}`;
return this.waiting.set(r,o),this.write(r,o),this.flush(),this.onChange(),o}write(t,e){try{this.storage.setItem(t,JSON.stringify(e))}catch{this.trouble="The bro\
wser's storage is full: keep this window open until everything is saved."}}get actions(){return[...this.waiting.values()]}holds(t){let e=x(t);return this.actions.
some(s=>s.item&&x(s.item)===e)}flush(){let t=this.now();if(!this.waiting.size||t<this.again||this.out&&t-this.out.at<6e3)return;this.out&&(this.failures+=1);let[
e]=this.waiting.values(),s=[];for(let o of this.waiting.values()){if(o.queue!==e.queue||s.length===40)break;s.push(o)}this.out={ids:new Set(s.map(({id:o})=>o)),
at:t},this.deliver(e.queue,s.map(({queue:o,...i})=>i))}receive(t){let e=new Map([...this.waiting].map(([o,i])=>[i.id,{key:o,action:i}])),s="";for(let o of t){let i=e.
get(o.id);if(i){if(o.state==="failed"){s=o.message;break}this.waiting.delete(i.key),this.storage.removeItem(i.key),this.settle(o,i.action),this.onAnswer(o,i.action)}}
t.some(({id:o})=>this.out?.ids.has(o))&&(this.out=null),this.trouble=s,this.failures=s?this.failures+1:0,this.again=s?this.now()+va[Math.min(this.failures,va.length)-
1]:0,this.flush(),this.onChange()}settle(t,e){if(!t.item||t.revision===null)return;let s=x(t.item),o=this.chains.get(s),i=!o||o.after===e.id||!this.holds(t.item);
t.state==="conflict"||i?this.chains.set(s,{after:null,seen:t.revision}):o.seen=Math.max(o.seen,t.revision)}lost(){this.out=null,this.again=0,this.flush()}get state(){
if(!this.waiting.size)return"saved";let t=this.out!==null&&(this.failures>0||this.now()-this.out.at>6e3/2);return this.trouble||t?"kept":"saving"}};function Fu(n){
try{let t=JSON.parse(n??"");return typeof t?.id=="string"&&typeof t?.queue=="string"?t:null}catch{return null}}function ju(){return[...crypto.getRandomValues(new Uint8Array(
9))].map(t=>t.toString(36).padStart(2,"0")).join("")}var Sa=(n,t)=>n.data.entries.findIndex(({item:e})=>x(e)===t);function Ma(n,t,e){let s=t.item&&x(t.item),o=s?Sa(n,s):-1;t.feedback!==void 0&&o>=0&&(n.data.entries[o].
feedback=t.feedback),t.state==="refused"&&(n.notice=`Not saved: ${t.message}`,o>=0&&n.refusals.set(o,t.message)),t.state!=="saved"&&(n.past=n.past.filter(i=>i.at!==
o)),t.state==="refused"&&e.kind==="walk"&&o>=0&&n.put(o,null),t.state==="conflict"&&o>=0&&n.conflicts.set(o,t),t.state==="saved"&&e.kind==="undo"&&Wu(n,t,e,o),t.
state==="saved"&&o>=0&&t.revision!==null&&n.channel.postMessage({key:s,value:n.values[o],revision:t.revision}),(o===n.at||n.notice)&&n.showItem()}function Wu(n,t,e,s){
t.message&&(n.notice=t.message),!(s<0||n.outbox.holds(n.data.entries[s].item))&&(n.put(s,t.value),!e.item&&(n.drafts.drop(x(n.data.entries[s].item)),n.at=s,n.locked=
!1,n.notice=`Undone: episode ${n.entry.item.episode}.`,n.show()))}function Ta(n,{key:t,value:e,revision:s}){let o=Sa(n,t);o<0||n.outbox.holds(n.data.entries[o].
item)||(n.outbox.knows(n.data.entries[o].item,s),n.put(o,e),n.drafts.drop(t),o===n.at&&e!==null&&(n.locked=!0,n.notice="Another tab rated this item. E changes i\
t, J goes on."),n.showItem())}var ys=class{constructor(t,e=()=>performance.now()){this.idleMs=t*1e3,this.now=e,this.spent=new Map,this.item=null,this.last=null}touch(){let t=this.now();this.
last!==null&&this.item!==null&&t-this.last<=this.idleMs&&this.spent.set(this.item,(this.spent.get(this.item)??0)+t-this.last),this.last=t}turn(t){this.touch(),this.
item=t}away(){this.touch(),this.last=null}take(t){this.touch();let e=this.spent.get(t)??0;return this.spent.delete(t),Math.round(e)/1e3}};var ws=class{constructor(t,e,s){this.prefix=`navviz:draft:${t}:${e}:`,this.storage=s,this.byItem=new Map}of(t){let e=this.byItem.get(t)??this.read(t);return this.
byItem.set(t,e),e}read(t){try{let e=JSON.parse(this.storage.getItem(this.prefix+t)??"{}");return e&&typeof e=="object"&&!Array.isArray(e)?e:{}}catch{return{}}}keep(t){
try{this.storage.setItem(this.prefix+t,JSON.stringify(this.of(t)))}catch{}}put(t,e){this.byItem.set(t,e),this.keep(t)}rated(t){this.storage.removeItem(this.prefix+
t)}drop(t){this.byItem.delete(t),this.storage.removeItem(this.prefix+t)}};var qu="textarea, select, [contenteditable=''], [contenteditable=true]",Uu=new Set(["ArrowLeft","ArrowRight","ArrowUp","ArrowDown","Enter","Escape"]),Gu=new Set(
["button","checkbox","color","file","image","radio","range","reset","submit"]);function Ea(n){let t=n.composedPath()[0];return t instanceof Element?document.querySelector(
"dialog[open]")||t.closest("[role=dialog]")?!0:t instanceof HTMLInputElement&&!Gu.has(t.type)?!(t.getAttribute("role")==="combobox")||t.getAttribute("aria-expan\
ded")==="true":t.closest(qu)?!0:t.matches(".nv-look canvas")?Uu.has(n.key):(n.key==="Enter"||n.key===" ")&&t.matches("button, a, summary, [role=button]")&&t.matches(
":focus-visible"):!1}var $a=n=>n.key.length===1?n.key.toLowerCase():n.key;function La(n){return{ArrowUp:"↑",ArrowDown:"↓",ArrowLeft:"←",ArrowRight:"→",Enter:"\
↵",Escape:"Esc"," ":"Space"}[n]??n.toUpperCase()}function v(n,{chosen:t=!1,disabled:e=!1,look:s="",title:o}={}){let i=n.keys[0];return l("button",{type:"button",class:`nv-key-button ${s}`,"aria-pressed":t?"tru\
e":"false",disabled:e,title:o??(s.includes("nv-line")?n.label:void 0),on:{mousedown:w,click:n.run}},l("span",{text:n.label}),i!==void 0&&l("kbd",{text:La(i)}))}
var Ku=".nv-ways, .nv-banner, .nv-desk-form, .nv-desk-after";function Yt(n,t){let{activeElement:e}=document,s=e instanceof HTMLElement&&n.contains(e)?e.closest(
Ku):null,o=e?.textContent;if(t(),!s||e?.isConnected)return;[...s.querySelectorAll("button")].find(r=>r.textContent===o&&!r.disabled)?.focus({preventScroll:!0})}
function it(n,t,e="nv-choices"){return l("div",{class:"nv-question"},l("p",{text:n}),l("div",{class:e},t))}var qn=[["y","Yes","yes"],["p","Partly","partly"],["n","No","no"],["t","Cannot tell","cannot tell"]],ks=class{constructor(t,e){this.desk=t,this.box=e}show(){let{
claim:t}=this.desk.sheet??{},{value:e}=this.desk,s=this.commands().slice(0,qn.length).map((o,i)=>v(o,{chosen:e?.answer===qn[i][2]}));this.box.replaceChildren(t?
this.said(t):"",it("Is this the cause?",s,"nv-scale"))}said(t){return l("div",{class:"nv-claim"},l("button",{type:"button",class:"nv-claim-sentence",title:"Go t\
o its step (r)",on:{mousedown:w,click:()=>this.toStep()}},/\bstep \d/i.test(t.sentence)?"":l("span",{class:"nv-mute",text:`Step ${t.step}: `}),t.sentence),l("ul",
{class:"nv-quotes","aria-label":"Quotes"},this.quotes.map(s=>Bn(s,()=>this.desk.itemView.player?.why.show(s)))))}get quotes(){return this.desk.sheet?.document?.
causes?.all[0]?.quotes??[]}commands(){return[...qn.map(([e,s,o])=>({keys:[e],label:s,run:()=>this.desk.save({...this.desk.value,answer:o})})),{keys:["r"],label:"\
To its step",run:()=>this.toStep()}]}toStep(){this.desk.itemView.player?.toCause()}done(){return!0}};var bs=[["linguistic","Linguistic intricacy","How hard is the text to take apart?"],["topological","Topological complexity","How hard is the way itself?"],["ope\
rational","Operational demand","How much is there to do and keep in mind?"]],xs=class{constructor(t,e){this.desk=t,this.box=e}get axis(){let{axis:t}=this.desk.draft;
return typeof t=="number"?t:0}level(t){let{value:e,draft:s}=this.desk;return s[t]??e?.[t]??null}show(){let t=bs.map(([o,i,r],a)=>{let c=Array.from({length:10},(h,d)=>l(
"button",{type:"button",class:"nv-level",text:String(d+1),"aria-pressed":this.level(o)===d+1?"true":"false","aria-label":`${i}: ${d+1}`,on:{mousedown:w,click:()=>this.
rate(a,d+1)}}));return l("div",{class:"nv-question nv-axis",data:{axis:o},"aria-current":a===this.axis?"true":"false"},l("p",{},l("b",{text:i}),` ${r}`),l("div",
{class:"nv-levels",role:"group","aria-label":i},c))}),e=bs.filter(([o])=>this.level(o)===null).map(([,o])=>o.toLowerCase()),s=e.length&&e.length<3?`Still to rat\
e: ${e.join(", ")}.`:"";this.box.replaceChildren(...t,l("p",{class:"nv-desk-hint"},l("span",{class:"nv-by-key"},l("kbd",{text:"1"})," to ",l("kbd",{text:"9"}),"\
, ",l("kbd",{text:"0"})," for 10, rate the marked axis; ",l("kbd",{text:"↑"}),l("kbd",{text:"↓"})," mark another."),s&&l("b",{text:` ${s}`})))}commands(){let t=Array.
from({length:10},(s,o)=>({keys:[String((o+1)%10)],label:String(o+1),run:()=>this.rate(this.axis,o+1)})),e=s=>()=>this.desk.keep({axis:(this.axis+s+3)%3});return[
...t,{keys:["ArrowUp"],label:"Axis above",run:e(-1)},{keys:["ArrowDown"],label:"Axis below",run:e(1)}]}done(){return!0}rate(t,e){let{desk:s}=this;s.keep({[bs[t][0]]:e,
axis:Math.min(t+1,2)});let o=Object.fromEntries(bs.map(([i])=>[i,this.level(i)]));Object.values(o).every(i=>i!==null)&&s.save({...s.value,...o}),this.box.querySelector(
'[aria-current="true"]')?.scrollIntoView({block:"nearest"})}};var Vu=8,vs=class{constructor(t,e){this.desk=t,this.box=e,this.chosen=0,this.field=l("input",{type:"text",class:"nv-field",placeholder:"Code or words, then ↵",
"aria-label":"Find a label",autocomplete:"off",on:{input:()=>this.turn(0),keydown:s=>this.onKey(s)}}),this.list=l("div",{class:"nv-finder-list",role:"listbox","\
aria-label":"Labels"}),this.help=l("p",{class:"nv-desk-hint"}),this.finder=l("div",{class:"nv-finder",hidden:!0},this.field,this.list,this.help)}get given(){return this.
desk.value?.labels??[]}get step(){return this.desk.draft.whole?null:this.desk.itemView.replay.step||null}show(){let[t,e,s,o,i]=this.commands(),{value:r,draft:a}=this.
desk,c=this.step?`at step ${this.step}`:"for the whole episode";this.box.replaceChildren(l("p",{text:"What went wrong, and where?"}),l("div",{class:"nv-scale nv\
-acts"},v({...t,label:`Label ${c}`}),v(e,{chosen:!!a.whole,title:"Not for the step that is shown"}),v(s,{chosen:r!==null&&!this.given.length,disabled:this.given.
length>0})),this.finder,...this.offers().map((h,d)=>this.suggestion(h,d===0?i:{...i,keys:[]})),...this.given.map((h,d)=>this.line(h,d)),this.given.length?v(o):"")}offers(){
let t=new Set(this.given.map(({code:e})=>e));return(this.desk.sheet?.suggestions??[]).filter(({code:e})=>!t.has(e))}suggestion(t,e){let{code:s,title:o,step:i}=t,
r=()=>this.give({code:s,step:i,note:"",suggested:!0});return l("div",{class:"nv-card"},l("p",{class:"nv-mute",text:t.caption}),l("p",{text:`${s} ${o}. ${t.sentence}`}),
v({...e,run:r,label:"Take it over"}))}line(t,e){let s=this.desk.data.labels.find(({code:r})=>r===t.code)?.titles.at(-1)??"",o=t.step?`step ${t.step}`:"whole epi\
sode",i=l("input",{type:"text",class:"nv-field",value:t.note,placeholder:"Note","aria-label":`Note for ${t.code}`,on:{change:()=>this.note(e,i.value),keydown:Xu}});
return l("div",{class:"nv-card nv-given",data:{code:t.code}},l("p",{text:`${t.code} ${s} (${o}${t.suggested?", from a suggestion":""})`}),l("div",{class:"nv-cho\
ices"},i,l("button",{type:"button",class:"nv-small",text:"Remove",on:{mousedown:w,click:()=>this.drop(e)}})))}commands(){return[{keys:["a"],label:"Label",run:()=>this.
open()},{keys:["w"],label:"Whole episode",run:()=>this.desk.keep({whole:!this.desk.draft.whole})},{keys:["n"],label:"Nothing failed",run:()=>this.given.length||
this.put([])},{keys:["x"],label:"Remove the last",run:()=>this.given.length&&this.drop(this.given.length-1)},{keys:["t"],label:"Take it over",run:()=>{let[t]=this.
offers();t&&this.give({code:t.code,step:t.step,note:"",suggested:!0})}}]}open(){this.finder.hidden=!1,this.field.value="",this.turn(0),this.field.focus()}close(){
this.finder.hidden=!0,this.field.blur()}matches(){let t=this.field.value.trim().toLowerCase(),e=t.split(/\s+/);return this.desk.data.labels.filter(({code:o,titles:i,
help:r})=>{let a=`${o} ${i.join(" ")} ${r}`.toLowerCase();return e.every(c=>a.includes(c))}).sort((o,i)=>Aa(o,t)-Aa(i,t)).slice(0,Vu)}turn(t){let e=this.matches();
this.chosen=e.length?(t+e.length)%e.length:0,this.list.replaceChildren(...e.map((s,o)=>l("div",{role:"option",class:"nv-option",text:`${s.code}  ${s.titles.slice(
-2).join(" › ")}`,title:s.titles.join(" › "),"aria-selected":o===this.chosen?"true":"false",on:{mousedown:w,click:()=>this.take(s)}}))),this.help.textContent=
e.length?e[this.chosen].help:"No label holds these words."}onKey(t){let s={ArrowDown:()=>this.turn(this.chosen+1),ArrowUp:()=>this.turn(this.chosen-1),Escape:()=>this.
close(),Enter:()=>{let o=this.matches()[this.chosen];o&&this.take(o)}}[t.key];s&&(t.preventDefault(),t.stopPropagation(),s())}take(t){this.close(),this.give({code:t.
code,step:this.step,note:"",suggested:!1})}give(t){this.given.some(({code:s,step:o})=>s===t.code&&o===t.step)||this.put([...this.given,t])}drop(t){this.put(this.
given.filter((e,s)=>s!==t))}note(t,e){this.put(this.given.map((s,o)=>o===t?{...s,note:e}:s))}done(t){return Array.isArray(t.labels)&&t.labels.length===0}put(t){
let{desk:e}=this,{name:s,version:o}=e.data.taxonomy??{name:"",version:1};e.save({taxonomy:s,taxonomy_version:o,...e.value,labels:t})}},Aa=({code:n},t)=>n.toLowerCase()===
t?0:n.toLowerCase().startsWith(t)?1:2;function Xu(n){n.key==="Enter"&&n.target instanceof HTMLElement&&n.target.blur()}var At=class{constructor(t){this.desk=t,this.root=t.root,this.colors=new V(t.root),this.pictures=new Et(this),this.look=new st(this),this.walks=null,this.map={cone:e=>t.
itemView.map?.map?.cone?.(e),highlight:e=>t.itemView.light(e),panTo:e=>t.itemView.panTo(e)}}get doc(){return this.desk.sheet?.document}get step(){return this.doc.
steps.length}lightText(){}seen(){let t=this.desk.sheet?.document?.steps.at(-1);return t?Xe(t,this):null}};var Zu=(n,t,e)=>`${n} ${n===1?t:e}`,Ss=class{constructor(t,e){this.desk=t,this.box=e,this.eyes=new At(t),this.eyes.walks={may:s=>this.offered(s)!==null,go:s=>this.
pickNode(s)},this.looks=!1}get stand(){return this.desk.sheet?.stand??null}show(){let{value:t}=this.desk,{stand:e}=this,{canvas:s}=this.eyes.look;if(this.looks||=
s.matches(":focus"),t){this.looks=!1;let p=t.gave_up?"You gave up on this one.":"Saved. Your walk is kept as a trace of the navigator “human”.";this.box.replaceChildren(
l("p",{text:p}),l("p",{class:"nv-desk-hint",text:"Whether you arrived is not shown, so that it does not change how you walk the next one. Undo lets you walk aga\
in."}));return}if(!e){this.box.replaceChildren(l("p",{class:"nv-desk-hint",text:"Looking around …"}));return}let o=this.commands(),i=o.filter(({keys:p})=>/^[1-9]$/.
test(p[0])),[r,a,c,h]=o.slice(i.length),d=e.in_sight.length?`In sight: ${e.in_sight.join("; ")}.`:"No place in sight that the text names.",u=this.eyes.seen();this.
box.replaceChildren(u??"",l("p",{text:"Where to? Click a ringed place on the map, or choose here."}),l("div",{class:"nv-column"},i.map(p=>v(p,{look:"nv-offer"}))),
l("div",{class:"nv-choices"},v(r),v(a,{disabled:!e.taken.length})),l("div",{class:"nv-choices"},v(c,{look:"nv-wide nv-main-key"}),v(h)),u?"":l("p",{class:"nv-de\
sk-hint",text:d}),l("p",{class:"nv-desk-hint",text:`${Zu(e.taken.length,"choice","choices")} so far, ${Math.round(e.walked_m)} m walked.${e.note?` ${e.note}`:""}`})),
this.looks&&s.isConnected&&s.focus({preventScroll:!0}),this.looks=!1}commands(){let{stand:t}=this;return!t||this.desk.value?[]:[...t.choices.filter(({listed:e})=>e).
slice(0,9).map(({node:e,text:s},o)=>({keys:[String(o+1)],label:s,run:()=>this.go([...t.taken,e])})),{keys:["t"],label:"Turn around",run:()=>this.go([...t.taken,
t.here])},{keys:["b"],label:"One step back",run:()=>this.go(t.taken.slice(0,-1))},{keys:["h"],label:"Here: I have arrived",run:()=>this.desk.endWalk(t.taken,!1)},
{keys:["v"],label:"Give up",run:()=>this.desk.endWalk(t.taken,!0)}]}go(t){this.desk.walkOn(t)}offered(t){let e=this.desk.sheet?.document?.nodes.ids[t];return e!==
void 0&&this.stand?.choices.some(s=>s.node===e)?e:null}pickNode(t){let e=this.offered(t);this.stand&&e!==null&&this.go([...this.stand.taken,e])}};var Yu={x:35,y:35,width:30,height:30},Ms=[0,100],Oa=2,Ts=1,Ju="Drag a box around the landmark. Or with keys: arrows move it, Shift and arrows change its size, P\
age Up and Page Down change the picture.",Es=class{constructor(t,{pictures:e,url:s,words:o,box:i,keep:r}){this.pictures=e,this.url=s,this.keep=r,this.at=0,this.
corners=null,i&&this.open(i),this.image=l("img",{alt:"",draggable:"false"}),this.frame=l("div",{class:"nv-box-frame"}),this.caption=l("p",{class:"nv-mute",role:"\
status","aria-live":"polite"}),this.drawn=l("div",{class:"nv-box-drawn",hidden:!0}),this.frame.append(this.image,this.drawn);let a=this.commands();this.dialog=l(
"dialog",{class:"nv-box","aria-label":`Where is “${o}”?`},l("h3",{text:`Where is “${o}”?`}),l("p",{class:"nv-desk-hint",text:Ju}),this.frame,this.caption,
l("div",{class:"nv-choices"},a.map(c=>v(c)))),this.dialog.addEventListener("close",()=>this.dialog.remove()),this.dialog.addEventListener("keydown",c=>this.onKey(
c)),this.listen(),t.append(this.dialog),this.dialog.showModal(),this.show()}open({picture:t,x:e,y:s,width:o,height:i}){let r=e+o/2,a=this.pictures.findIndex(({name:u,
cut:[p,f]=Ms})=>u===t&&r>=p&&r<=p+f);if(a<0)return;this.at=a;let[c,h]=this.pictures[a].cut??Ms,d=u=>Math.min(100,Math.max(0,100*(u-c)/h));this.corners={x:d(e),y:s,
width:d(e+o)-d(e),height:i}}commands(){return[{keys:["Enter"],label:"Keep the box",run:()=>this.finish()},{keys:["PageUp"],label:"Picture before",run:()=>this.turn(
-1)},{keys:["PageDown"],label:"Next picture",run:()=>this.turn(1)},{keys:["Delete"],label:"No box",run:()=>this.clear()},{keys:["Escape"],label:"Leave it as it \
was",run:()=>this.dialog.close()}]}show(){let{name:t,caption:e,picture:s}=this.pictures[this.at],o=this.url(s)??"";this.image.getAttribute("src")!==o&&(this.image.
src=o),this.image.alt=t,this.trim(),this.drawn.hidden=this.corners===null;let i=[`Picture ${this.at+1} of ${this.pictures.length}: ${e}`];if(this.corners){let{x:r,
y:a,width:c,height:h}=this.corners;Object.assign(this.drawn.style,{left:`${r}%`,top:`${a}%`,width:`${c}%`,height:`${h}%`}),i.push(`box ${Math.round(c)} × ${Math.
round(h)} %`)}this.caption.textContent=i.join(" · ")}trim(){let{cut:t}=this.pictures[this.at];this.frame.classList.toggle("nv-box-face",t!==void 0);let[e,s]=t??
Ms;this.image.style.width=t?`${1e4/s}%`:"",this.image.style.marginLeft=t?`${-100*e/s}%`:""}turn(t){this.at=(this.at+t+this.pictures.length)%this.pictures.length,
this.corners=null,this.show()}finish(){let{name:t,cut:[e,s]=Ms}=this.pictures[this.at],o=i=>Math.round(i*100)/100;if(this.corners){let[i,r]=[o(e+this.corners.x*
s/100),o(this.corners.y)],[a,c]=[Math.min(o(this.corners.width*s/100),100-i),Math.min(o(this.corners.height),100-r)];this.keep({picture:t,x:i,y:r,width:a,height:c})}
this.dialog.close()}clear(){this.keep(null),this.dialog.close()}listen(){let{frame:t}=this,e=null;t.addEventListener("pointerdown",s=>{s.button===0&&(s.preventDefault(),
t.setPointerCapture(s.pointerId),e=this.spot(s))}),t.addEventListener("pointermove",s=>{if(!e)return;let o=this.spot(s),[i,r]=[Math.abs(o.x-e.x),Math.abs(o.y-e.
y)];i<Ts||r<Ts||(this.corners={x:Math.min(e.x,o.x),y:Math.min(e.y,o.y),width:i,height:r},this.show())});for(let s of["pointerup","pointercancel"])t.addEventListener(
s,()=>{e=null})}spot({clientX:t,clientY:e}){let s=this.frame.getBoundingClientRect(),o=i=>100*Math.min(1,Math.max(0,i));return{x:o((t-s.left)/s.width),y:o((e-s.
top)/s.height)}}onKey(t){let e={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]}[t.key],s=this.commands().find(({keys:o})=>o.includes(t.key));!e&&
!s||(t.preventDefault(),t.stopPropagation(),e?this.push(e[0]*Oa,e[1]*Oa,t.shiftKey):s?.run())}push(t,e,s){let o=this.corners??Yu,i=(r,a,c)=>Math.min(c,Math.max(
a,r));this.corners=s?{...o,width:i(o.width+t,Ts,100-o.x),height:i(o.height+e,Ts,100-o.y)}:{...o,x:i(o.x+t,0,100-o.width),y:i(o.y+e,0,100-o.height)},this.show()}};function pt(n){return[...n.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}_'’&.-]*[\p{L}\p{N}_])?/gu)].map(t=>({start:t.index,end:t.index+t[0].length}))}var rt=(n,t)=>[...n.
slice(0,t)].length,Un=(n,t)=>[...n].slice(0,t).join("").length;function _a(n,t,e){let s=pt(n),o=[];for(let i of[...t].sort((r,a)=>r-a)){let{start:r,end:a}=s[i],
c=o.at(-1);c&&!n.slice(c.end,r).trim()?c.end=a:o.push({start:r,end:a})}return o.map(({start:i,end:r})=>{let a=n.slice(i,r),[c,h]=[rt(n,i),rt(n,r)],d=e.find(u=>u.
start===c&&u.text===a)??e.find(u=>u.text===a);return{start:c,end:h,text:a,poi_id:d?.poi_id??null,...d?.box&&{box:d.box}}})}function Ca(n,t){let e=c=>c.toLowerCase().
match(/[\p{L}\p{N}]+/gu)??[],s=new Set(e(n)),o=e(t.name),i=e(t.kind??""),r=o.filter(c=>s.has(c)).length,a=i.filter(c=>s.has(c)||s.has(`${c}s`)).length;return 2*
r/Math.max(1,o.length)+r+a}var Ia=9,$s=class{constructor(t,e){this.desk=t,this.box=e,this.eyes=new At(t)}get mentions(){return this.desk.value?.mentions??[]}get cursor(){let{cursor:t}=this.
desk.draft;return typeof t=="number"?t:0}chosen(){let{text:t}=this.desk.entry;return pt(t).flatMap(({start:e,end:s},o)=>{let[i,r]=[rt(t,e),rt(t,s)];return this.
mentions.some(a=>a.start<=i&&r<=a.end)?[o]:[]})}get active(){let{text:t}=this.desk.entry,e=pt(t)[this.cursor];if(!e)return;let s=rt(t,e.start);return this.mentions.
find(o=>o.start<=s&&s<o.end)}showText(t){let{text:e}=this.desk.entry,s=new Set(this.chosen()),o=[],i=0;pt(e).forEach(({start:r,end:a},c)=>{o.push(e.slice(i,r));
let h=l("span",{class:"nv-word",role:"checkbox",text:e.slice(r,a),"aria-checked":s.has(c)?"true":"false","aria-current":c===this.cursor?"true":"false",on:{mousedown:w,
click:()=>this.toggle(c)}}),d=this.linkAt(rt(e,r));d&&(h.dataset.ref=d),o.push(h),i=a}),t.replaceChildren(...o,e.slice(i))}linkAt(t){let e=this.mentions.find(o=>o.
start<=t&&t<o.end&&o.poi_id),s=e&&this.places.find(({id:o})=>o===e.poi_id);return s&&s.poi!==null?`p:${s.poi}`:null}show(){let t=this.commands().find(({keys:s})=>s[0]===
"n"),e=this.mentions.map(s=>this.row(s));this.box.replaceChildren(l("p",{class:"nv-desk-hint"},"Mark every word that names a landmark: click it",l("span",{class:"\
nv-by-key"},", or ",l("kbd",{text:"←"}),l("kbd",{text:"→"})," and ",l("kbd",{text:"Space"})),". Neighbouring words become one mention."),t?v(t,{chosen:this.
desk.value!==null&&!this.mentions.length}):"",...e.length?[l("p",{text:"Which place on the map does each mean?"}),...e]:[])}row(t){let e=t===this.active,s=this.
places.find(({id:c})=>c===t.poi_id),o=s?Na(s):"not on the map, or unclear",i=l("div",{class:"nv-mention","aria-current":e?"true":"false"},l("b",{text:t.text,title:t.
text}),l("span",{class:"nv-mute",text:o,title:o}));if(s?.poi!==null&&s?.poi!==void 0&&(i.dataset.ref=`p:${s.poi}`),i.addEventListener("click",()=>this.to(t)),!e)
return i;let r=this.offers(t).map((c,h)=>v({keys:[String(h+1)],label:Na(c),run:()=>this.link(t,c.id)},{chosen:c.id===t.poi_id,look:"nv-offer nv-line"})),a={keys:[
"0"],label:"Not on the map, or unclear",run:()=>this.link(t,null)};return l("div",{class:"nv-links"},i,...this.drawing().map(c=>v(c,{chosen:!!t.box,look:"nv-off\
er"})),t.box?l("p",{class:"nv-desk-hint",text:`Marked in ${t.box.picture}.`}):"",r,v(a,{chosen:!t.poi_id,look:"nv-offer"}))}drawing(){return this.desk.sheet?.pictures.
length?[{keys:["x"],label:"Mark it in a picture",run:()=>this.draw()}]:[]}draw(){let{active:t,desk:e}=this,s=e.sheet?.pictures??[];!t||!s.length||!e.mayRate()||
new Es(e.root,{pictures:s,url:o=>this.eyes.pictures.url(o),words:t.text,box:t.box??null,keep:o=>this.mark(t,o)})}mark(t,e){let{box:s,...o}=t,i=e?{...o,box:e}:o;
this.put(this.mentions.map(r=>r.start===t.start?i:r))}get places(){return this.desk.sheet?.places??[]}offers(t){let e=this.places.map(i=>({place:i,score:Ca(t.text,
i)}));e.sort((i,r)=>r.score-i.score);let s=e.slice(0,Ia).map(({place:i})=>i),o=this.places.find(({id:i})=>i===t.poi_id);return o&&!s.includes(o)&&s.splice(Ia-1,
1,o),s}commands(){let t=o=>()=>{let i=pt(this.desk.entry.text).length;this.desk.keep({cursor:Math.max(0,Math.min(i-1,this.cursor+o))})},{active:e}=this,s=e?this.
offers(e):[];return[{keys:["ArrowLeft"],label:"Word before",run:t(-1)},{keys:["ArrowRight"],label:"Word after",run:t(1)},{keys:[" "],label:"Mark",run:()=>this.toggle(
this.cursor)},{keys:["n"],label:"No landmark in this text",run:()=>this.put([])},...s.map((o,i)=>({keys:[String(i+1)],label:o.name,run:()=>e&&this.link(e,o.id)})),
{keys:["0"],label:"Not on the map",run:()=>e&&this.link(e,null)},...e?this.drawing():[]]}toggle(t){let e=new Set(this.chosen());e.has(t)?e.delete(t):e.add(t),this.
desk.draft.cursor=t,this.put(_a(this.desk.entry.text,[...e],this.mentions))}to(t){let{text:e}=this.desk.entry,s=pt(e).findIndex(({start:o})=>rt(e,o)===t.start);
s>=0&&this.desk.keep({cursor:s})}link(t,e){this.put(this.mentions.map(s=>s.start===t.start?{...s,poi_id:e}:s))}pick(t){let e=this.places.find(s=>s.name.toLowerCase()===
t);this.active&&e&&this.link(this.active,e.id)}put(t){this.desk.save({...this.desk.value,mentions:t})}},Na=({name:n,kind:t})=>t&&t!==n?`${n} (${t})`:n;var Qu=["Guess","Unsure","Fair","Sure","Certain"],Ls=class{constructor(t,e){this.desk=t,this.box=e}show(){let{value:t,draft:e}=this.desk,s=t?.confidence??e.confidence,
[o,i,...r]=this.commands();this.box.replaceChildren(it("Would the instruction alone lead you along this route to the goal?",[v(o,{chosen:t?.navigable===!0}),v(i,
{chosen:t?.navigable===!1})],"nv-scale"),it("How sure are you?",r.map((a,c)=>v(a,{chosen:s===c+1})),"nv-scale"))}commands(){return[{keys:["y"],label:"Yes",run:()=>this.
answer(!0)},{keys:["n"],label:"No",run:()=>this.answer(!1)},...Qu.map((t,e)=>({keys:[String(e+1)],label:t,run:()=>this.sure(e+1)}))]}done(){return!0}answer(t){let{
desk:e}=this;e.save({confidence:e.draft.confidence??null,...e.value,navigable:t})}sure(t){let{desk:e}=this;e.value?e.save({...e.value,confidence:t}):e.keep({confidence:t})}};var As=class{constructor(t,e){this.desk=t,this.box=e}get steps(){return this.desk.sheet?.steps??[]}get row(){let{row:t}=this.desk.draft;return typeof t=="number"?
Math.min(t,Math.max(0,this.steps.length-1)):Math.max(0,this.steps.findIndex(({index:e})=>!this.judged(e)))}get labels(){return this.desk.value?.labels??[]}judged(t){
return this.labels.find(e=>e.step===t)?.skill}show(){if(!this.steps.length){let s=this.desk.sheet?"No step of this trace has a sub-instruction; skip it.":"";this.
box.replaceChildren(l("p",{class:"nv-desk-hint",text:s}));return}let{skills:t}=this.desk.data,e=this.steps.map((s,o)=>this.line(s,o));this.box.replaceChildren(l(
"p",{text:"Which skill does each sub-instruction ask for? The router's choice is marked."}),l("p",{class:"nv-desk-hint nv-by-key"},...t.map((s,o)=>l("span",{class:"\
nv-key-word"},l("kbd",{text:String(o+1)}),` ${s}`)),l("span",{class:"nv-key-word"},l("kbd",{text:"0"})," not judged"),l("span",{class:"nv-key-word"},l("kbd",{text:"\
↑"}),l("kbd",{text:"↓"})," another step")),...e),this.box.querySelector("[aria-current=true]")?.scrollIntoView({block:"nearest"})}line(t,e){let s=this.judged(
t.index),o=this.desk.data.skills.map(i=>l("button",{type:"button",class:`nv-level ${i===t.named?"nv-named":""}`,text:i,title:i===t.named?"The router's choice":void 0,
"aria-pressed":i===s?"true":"false",on:{mousedown:w,click:()=>this.judge(e,i)}}));return l("div",{class:"nv-question","aria-current":e===this.row?"true":"false",
data:{row:t.index}},l("p",{text:`${t.index}. ${t.text}`}),l("div",{class:"nv-levels nv-skills"},o))}commands(){let t=e=>()=>this.to(this.row+e);return[...this.desk.
data.skills.map((e,s)=>({keys:[String(s+1)],label:e,run:()=>this.judge(this.row,e)})),{keys:["0"],label:"Not judged",run:()=>this.judge(this.row,null)},{keys:["\
ArrowUp"],label:"Step above",run:t(-1)},{keys:["ArrowDown"],label:"Step below",run:t(1)}]}to(t){let e=Math.max(0,Math.min(this.steps.length-1,t));this.desk.keep(
{row:e}),this.desk.itemView.replay.playTo(this.steps[e]?.index??0)}judge(t,e){let s=this.steps[t];if(!s)return;let o=this.labels.filter(r=>r.step!==s.index),i=e===
null?[]:[{step:s.index,named:s.named,skill:e}];this.desk.save({...this.desk.value,labels:[...o,...i].sort((r,a)=>r.step-a.step)}),this.to(t+(e===null?0:1))}};var Os=class{constructor(t,e,s){this.box=e,this.handlers=s,this.colors=new V(t),this.doc=null,this.map=null,this.frame="",this.named=new Set,this.sizes=new ResizeObserver(
()=>this.map?.resize()),this.sizes.observe(e)}show(t,e){if(t===this.doc)return;if(this.named=new Set(e.flatMap(({pois:o})=>o)),this.doc=t,this.map&&this.frame===
t.frame){this.map.update(t),this.map.showStep(t.steps.length),this.map.fit(!1);return}this.map?.destroy(),this.box.replaceChildren(),this.frame=t.frame;let s=t.
frame==="geo"?vt:xt;this.map=new s(this.box,t,this.api(t)),this.map.showStep(t.steps.length)}api(t){let e=this;return{get doc(){return e.doc??t},options:{agentWord:"\
your walk",whole:!0},resolve:s=>this.resolve(s),hover:s=>this.handlers.hover(s),pick:s=>this.handlers.pick(s),mentions:()=>0,named:()=>e.named,color:s=>this.colors.
get(s),focus:()=>{}}}resolve(t){let{doc:e}=this;if(!e)return{label:t,nodes:[],at:[]};if(t.startsWith("n:"))return tt(e,Number(t.slice(2)));let s=new Set(t.startsWith(
"p:")?t.slice(2).split(",").map(Number):[]),o=e.pois.filter((i,r)=>s.has(r)||O(i.name)===t);return{label:o[0]?.name??t.slice(2),nodes:[],at:o.map(i=>i.at)}}light(t){
this.map?.highlight(t)}panTo(t){this.map?.panTo(t)}setTheme(){this.map?.setTheme()}destroy(){this.sizes.disconnect(),this.map?.destroy(),this.map=null}};var _s=class{constructor(t){this.desk=t,this.current=null}show(t){let{desk:e}=this;if(this.current?.at===e.at)return;this.drop();let s=e.view.left.appendChild(document.
createElement("div")),o=j.mount(s,t,{deepLink:!1,header:!1,start:e.data.task==="cause"?"cause":void 0,onStep:()=>e.form.show(),actions:e.data.task==="failure"?[
{name:"label",label:"Label this step"}]:[],onAction:()=>e.commands().find(({keys:r})=>r[0]==="a")?.run()}),i={at:e.at,root:s,player:o,shown:null};this.current=i,
o.then(r=>{i.shown=r,this.current===i&&e.showItem()})}drop(){let t=this.current;this.current=null,t?.root.remove(),t?.player.then(e=>e.destroy())}get player(){return this.
current?.at===this.desk.at?this.current.shown:null}get step(){return Number(this.current?.root.dataset.step??0)}playTo(t){this.current?.player.then(e=>e.jump(t))}};var tp=["failure","skill","cause"],Cs=class{constructor(t){this.desk=t,this.replays=tp.includes(t.data.task);let e={hover:s=>t.view.lightText(s),pick:s=>this.pick(
s)};this.map=this.replays?null:new Os(t.root,t.view.left,e),this.replay=new _s(t)}show(){let{root:t,sheet:e}=this.desk;t.dataset.ready=String(e!==void 0),t.classList.
toggle("nv-desk-late",e===void 0),e?.document&&(this.map?.show(e.document,e.marks),this.replays&&this.replay.show(e.document))}pick(t){let{form:e}=this.desk;t.startsWith(
"n:")?e.pickNode?.(Number(t.slice(2))):e.pick?.(t.slice(2))}get player(){return this.replay.player}light(t){this.map?.light(t),this.player?.map.highlight(t)}panTo(t){
this.map?.panTo(t),this.player?.map.panTo(t)}destroy(){this.replay.drop(),this.map?.destroy()}};var ep=500,sp=15e3,np=10,op=1500;function Pa(n){let{signal:t}=n.stopped;window.addEventListener("keydown",o=>ap(n,o),{signal:t,capture:!0});for(let o of["pointe\
rdown","pointermove","wheel","keydown"])window.addEventListener(o,()=>n.clock.touch(),{signal:t,capture:!0,passive:!0});document.addEventListener("visibilitycha\
nge",()=>document.hidden&&n.clock.away(),{signal:t}),window.addEventListener("blur",()=>n.clock.away(),{signal:t}),window.addEventListener("pagehide",()=>n.saveComment(),
{signal:t}),window.addEventListener("online",()=>n.outbox.lost(),{signal:t}),n.channel.addEventListener("message",({data:o})=>Ta(n,o),{signal:t}),ip(n);let e=0,
s=setInterval(()=>{e+=1,e%np===0&&n.outbox.adopt(Date.now()-sp),rp(n)},ep);t.addEventListener("abort",()=>clearInterval(s))}function ip(n){let{comment:t}=n.view,
e;t.addEventListener("input",()=>{n.keepTyping(),clearTimeout(e),e=setTimeout(()=>n.saveComment(),op)}),t.addEventListener("blur",()=>n.saveComment()),n.stopped.
signal.addEventListener("abort",()=>clearTimeout(e))}function rp(n){n.outbox.flush(),n.shelf.need(n.at),n.view.showState(),ms(n.data,n.entry.item);let t=D(n.root);
t!==n.root.dataset.theme&&(n.root.dataset.theme=t,n.itemView.map?.setTheme())}function ap(n,t){if(t.ctrlKey||t.metaKey||t.altKey||t.isComposing||!n.root.isConnected||
!n.root.getClientRects().length)return;let{comment:e}=n.view;if(t.key==="Escape"&&t.target===e){e.blur();return}if(Ea(t))return;let s=n.commands().find(({keys:i})=>i.
includes($a(t)));if(!s)return;t.preventDefault(),t.stopImmediatePropagation(),n.clock.touch();let{activeElement:o}=document;o instanceof HTMLElement&&o!==document.
body&&o.blur(),s.run()}var Ns="navviz:goes-on",Is=class{constructor(t,e,s){this.key=`navviz:at:${t}:${e}`,this.storage=s}last(){return sessionStorage.getItem(this.key)??this.storage.getItem(
this.key)}stay(t){try{sessionStorage.setItem(this.key,t),this.storage.setItem(this.key,t)}catch{}}};var Ps=class{constructor(t,e,s=Date.now){this.ask=t,this.count=e,this.now=s,this.turn=0,this.sheets=new Map,this.out=null,this.patience=2e3}get(t){return this.sheets.
get(t)}need(t){if(this.out&&this.now()-this.out.at<this.patience)return;this.patience=this.out?Math.min(2*this.patience,16e3):2e3;let s=Array.from({length:4},(o,i)=>t+
i).filter(o=>o<this.count&&!this.sheets.has(o));s.length&&this.request(s[0]===t?[t]:s,null)}walk(t,e){this.request([t],e)}request(t,e){this.turn+=1,this.here=t[0],
this.out=this.ask({positions:t,walk:e,turn:this.turn})?{positions:t,at:this.now()}:null}take(t){for(let o of t)this.sheets.set(o.position,o);let{out:e}=this;e&&
t.some(({position:o})=>e.positions.includes(o))&&(this.out=null);let s=[...this.sheets.keys()].sort((o,i)=>Math.abs(i-(this.here??0))-Math.abs(o-(this.here??0)));
for(let o of s.slice(0,Math.max(0,s.length-24)))this.sheets.delete(o)}};var Jt=n=>Ce(n).map(lp);function lp(n){if(n.kind==="list"){let t=n.items.map(e=>l("li",{},Ra(e)));return n.ordered?l("ol",{start:n.start},t):l("ul",{},t)}return n.
kind==="code"?l("pre",{text:n.text}):l(n.kind==="heading"?"h4":"p",{},Ra(n.text))}function Ra(n){let t={strong:"b",emphasis:"em",code:"code"};return Ie(n).map(e=>e.
kind==="text"?e.text:l(t[e.kind],{text:e.text}))}var cp=["The text cannot be understood","The map does not show what it speaks of","The route or the data look broken","I know this place","Later, or another rea\
son"],Da={saved:"Saved",saving:"Saving …",kept:"Not saved: kept here, tried again"},hp=430,Rs=class{constructor(t){this.desk=t,this.guiding=localStorage.getItem(
"navviz:guidelines")!=="off",this.bar=l("progress",{class:"nv-progress",max:1,"aria-label":"Rated"}),this.count=l("span",{class:"nv-count"}),this.state=l("span",
{class:"nv-desk-state",role:"status","aria-live":"polite"}),this.ways=l("div",{class:"nv-ways"}),this.left=l("div",{class:"nv-map nv-desk-left"}),this.caption=l(
"p",{class:"nv-desk-hint"}),this.text=l("div",{class:"nv-desk-text",lang:""}),this.banner=l("div",{class:"nv-banner",hidden:!0}),this.form=l("div",{class:"nv-de\
sk-form"}),this.comment=l("textarea",{class:"nv-field",rows:2,placeholder:"Comment","aria-label":"Comment"}),this.after=l("div",{class:"nv-desk-after"}),this.guide=
l("div",{class:"nv-guide nv-prose"}),this.guided=null;let e=l("div",{class:"nv-desk-side"},l("div",{class:"nv-desk-item"},this.caption,this.text),this.banner,this.
form,this.comment,this.after,this.guide);t.root.replaceChildren(l("div",{class:"nv-desk-top"},this.bar,this.count,this.state,l("span",{class:"nv-gap"}),this.ways),
l("div",{class:"nv-desk-main"},this.left,e)),this.side=e,this.text.addEventListener("mouseover",s=>this.onHover(s)),this.text.addEventListener("mouseleave",()=>this.
light([])),this.form.addEventListener("mouseover",s=>this.onHover(s)),this.text.addEventListener("click",s=>{let o=mt(s);o&&this.desk.itemView.panTo(o)}),this.stopFilling=
zn(t.root,()=>hp),this.showGuide()}show(){let{desk:t}=this,{entry:e,data:s,at:o}=t;this.bar.value=t.rated/Math.max(1,s.entries.length),this.count.textContent=`${t.
rated} of ${s.entries.length} rated · item ${o+1}`,this.ways.replaceChildren(...this.commands().map(c=>this.way(c)));let i=e.item.dataset?` · ${e.item.dataset}`:
"",r=s.entries.filter(c=>c.training).length,a=e.training?`Training ${o+1} of ${r} · `:"";this.caption.textContent=`${a}Episode ${e.item.episode}${i}${e.skipped?
` · skipped${e.reason?`: ${e.reason}`:""}`:""}`,this.showText(),this.showBanner(),this.showComment(),this.showAfter(),this.showState()}way(t){let{at:e,data:s}=this.
desk,o=t.label==="Back"&&e===0||t.label==="Next"&&e>=s.entries.length-1,i=t.label==="Guidelines"&&this.guiding||t.label==="Skip"&&this.desk.skipping||t.label===
"Go on by itself"&&this.desk.goesOn;return v(t,{disabled:o,chosen:i})}commands(){let{desk:t}=this,e=[];return t.locked&&t.data.task!=="follow"?e.push({keys:["e"],
label:"Change the rating",run:()=>t.change()}):!t.mapHere&&t.data.task!=="follow"&&!t.withoutMap.has(t.at)&&e.push({keys:["b"],label:"Rate without the map",run:()=>t.
rateWithoutMap()}),[...e,{keys:["k"],label:"Back",run:()=>t.go(t.at-1)},{keys:["j","Enter"],label:"Next",run:()=>t.go(t.at+1)},{keys:["s"],label:"Skip",run:()=>this.
askWhy(!0)},{keys:["u"],label:"Undo",run:()=>t.undo()},{keys:["c"],label:"Comment",run:()=>this.comment.focus()},{keys:["g"],label:"Guidelines",run:()=>this.turnGuide()},
{keys:["m"],label:"Go on by itself",run:()=>this.turnGoesOn()}]}showText(){let{desk:t}=this;if(t.form?.showText){t.form.showText(this.text);return}let{text:e}=t.
entry;if(t.itemView.player){this.text.replaceChildren(g(t.itemView.player.linker,e));return}let s=[],o=0;for(let i of t.sheet?.marks??[]){let[r,a]=[Un(e,i.start),
Un(e,i.end)];r<o||(s.push(e.slice(o,r)),s.push(l("span",{class:"nv-ref",text:e.slice(r,a),data:{ref:`p:${i.pois.join(",")}`}})),o=a)}this.text.replaceChildren(...s,
e.slice(o))}onHover(t){let e=mt(t);this.light(e?[e]:[])}light(t){this.desk.itemView.light(t),this.lightText([])}lightText(t){let{sheet:e}=this.desk,s=new Set(t.
filter(i=>i.startsWith("s:")).map(i=>i.slice(2))),o=this.side.querySelectorAll("[data-ref]");for(let i of o){let a=(i.dataset.ref??"").slice(2).split(",").some(
c=>s.has(e?.document?.pois[Number(c)]?.name.toLowerCase()??""));i.classList.toggle("nv-lit",a)}}askWhy(t){this.desk.skipping=t,this.desk.showItem()}reasons(){return[
...cp.map((e,s)=>({keys:[String(s+1)],label:e,run:()=>this.desk.skip(e)})),{keys:["Escape","s"],label:"Do not skip",run:()=>this.askWhy(!1)}]}whySkip(){let t=this.
reasons().map(e=>v(e,{look:"nv-offer"}));return it("Why skip it?",t,"nv-column")}conflictCommands(){let{desk:t}=this;return t.conflicts.has(t.at)?[{keys:["l"],label:"\
Load the other rating",run:()=>t.settle(!1)},{keys:["o"],label:"Save mine over it",run:()=>t.settle(!0)}]:[]}showBanner(){let{desk:t}=this,e=t.conflicts.get(t.at),
s=[];t.skipping&&s.push(this.whySkip()),e&&s.push(it("This item was changed in another window; nothing was overwritten.",this.conflictCommands().map(i=>v(i))));
let{feedback:o}=t.entry;if(o&&t.value){let i=o.right?"As the researchers hold it":"The researchers hold otherwise";s.push(l("p",{class:"nv-feedback",text:`${i}:\
 ${o.answer}.`})),o.comment&&s.push(l("p",{text:o.comment}))}t.notice&&s.push(l("p",{text:t.notice})),this.banner.replaceChildren(...s),this.banner.hidden=!s.length}showComment(){
let{desk:t,comment:e}=this;if(document.activeElement===e)return;let s=t.draft.typed??t.draft.comment??t.value?.comment??"";e.value=String(s),e.hidden=t.data.task===
"follow"}showAfter(){let{desk:t}=this,e=t.sheet?.history??[],s=t.value?"":"Not rated yet. Every key is saved at once.";t.locked&&(s="You rated this item before."),
t.value?.without_map&&(s="Rated without the map."),this.after.replaceChildren(s?l("p",{class:"nv-desk-hint",text:s}):"",t.sheet?.note?l("p",{class:"nv-desk-hint",
text:t.sheet.note}):"",e.length?l("details",{class:"nv-history"},l("summary",{text:`History (${e.length})`}),e.map(o=>l("p",{class:"nv-desk-hint",text:o}))):"")}showState(){
let{desk:t}=this,{state:e}=t.outbox,s=t.outbox.waiting.size,o=e==="kept"&&t.outbox.trouble?` (${t.outbox.trouble})`:"",i=e==="saved"&&t.refusals.has(t.at),r=i?"\
Not saved":Da.saved,a=e==="saved"?r:`${Da[e]}${s>1?` · ${s}`:""}${o}`;this.state.textContent!==a&&(this.state.textContent=a),t.root.dataset.state=i?"refused":e,
t.root.dataset.waiting=String(s)}turnGoesOn(){localStorage.setItem(Ns,this.desk.goesOn?"off":"on"),Yt(this.desk.root,()=>this.show())}turnGuide(){this.guiding=!this.
guiding,localStorage.setItem("navviz:guidelines",this.guiding?"on":"off"),this.showGuide(),Yt(this.desk.root,()=>this.show())}showGuide(){let t=this.desk.data.guidelines;
this.guide.hidden=!this.guiding||!t,this.guided!==t&&(this.guided=t,this.guide.replaceChildren(...Jt(t)))}destroy(){this.stopFilling()}};var dp={navigability:Ls,difficulty:xs,mentions:$s,failure:vs,skill:As,follow:Ss,cause:ks},Ds=class{constructor(t,e,s,o=localStorage){this.root=t,this.data=e,this.
line=s,this.stopped=new AbortController,this.owner=`${e.study}:${e.annotator}`,this.values=e.entries.map(({value:i})=>i),this.drafts=new ws(this.owner,e.queue,o),
this.past=[],this.refusals=new Map,this.withoutMap=new Set,this.locked=!1,this.conflicts=new Map,this.notice="",this.skipping=!1,this.clock=new ys(e.idle_s),this.
outbox=new gs({owner:this.owner,storage:o,send:(i,r)=>s.post(i,r),onAnswer:(i,r)=>Ma(this,i,r),onChange:()=>this.view?.showState()}),this.shelf=new Ps(i=>s.want(
i),e.entries.length),this.places=new Is(this.owner,e.queue,o),this.channel=new BroadcastChannel(`navviz:${this.owner}`),this.adoptWaiting(),this.at=this.firstItem(),
this.locked=this.value!==null,t.classList.add("navviz-desk"),t.dataset.theme=D(t),this.view=new Rs(this),this.form=new dp[e.task](this,this.view.form),this.itemView=
new Cs(this),Pa(this),this.show(),this.outbox.flush()}get entry(){return this.data.entries[this.at]}get value(){return this.values[this.at]}get sheet(){return this.
shelf.get(this.at)}get draft(){return this.drafts.of(x(this.entry.item))}get mapHere(){return!!this.sheet?.document}get goesOn(){return localStorage.getItem(Ns)===
"on"}get rated(){return this.values.filter(t=>t!==null).length}adoptWaiting(){let t=new Map(this.data.entries.map(({item:e},s)=>[x(e),s]));this.data.entries.forEach(
({item:e,revision:s})=>{this.outbox.knows(e,s)});for(let{item:e,kind:s,value:o,queue:i}of this.outbox.actions){let r=e&&i===this.data.queue?t.get(x(e)):void 0;r!==
void 0&&s==="save"&&(this.values[r]=o)}}firstItem(){let t=ba(this.data);if(t>=0)return this.trainedFirst(t);let e=this.places.last(),s=this.data.entries.findIndex(
({item:i})=>x(i)===e);if(s>=0)return this.trainedFirst(s);let o=this.data.entries.findIndex(({skipped:i},r)=>!i&&this.values[r]===null);return o>=0?o:this.data.
entries.length-1}update(t){let e=x(this.entry.item);this.data=t,this.values=t.entries.map(({value:o})=>o),this.adoptWaiting();let s=t.entries.findIndex(({item:o})=>x(
o)===e);this.at=s>=0?s:Math.min(this.at,t.entries.length-1),this.view.showGuide(),this.show()}save(t,e=!1){if(!e&&!this.mayRate())return;let s=this.draft.comment??
this.value?.comment??"",o=!this.mapHere&&this.withoutMap.has(this.at),i={task:this.data.task,...t,comment:s,without_map:o},r=this.value;if(up(r,i))return;let{item:a}=this.
entry;this.past.push({at:this.at,before:r,draft:{...this.draft}}),this.put(this.at,i),this.drafts.rated(x(a)),this.refusals.delete(this.at),this.entry.skipped=!1,
this.notice="",this.send({kind:"save",item:a,value:i}),!e&&this.goesOn&&!this.entry.training&&this.form.done?.(i)?this.goOn():this.showItem()}mayRate(){if(this.
locked)this.notice="This item is rated. E changes it.";else if(!this.mapHere&&!this.withoutMap.has(this.at))this.notice="The map of this item is not here, so no\
thing was rated. B rates without it, and the rating says so.";else return!0;return this.showItem(),!1}change(){this.locked=!1,this.notice="",this.showItem()}rateWithoutMap(){
this.withoutMap.add(this.at),this.notice="You rate this item without its map.",this.showItem()}goOn(){let{episode:t}=this.entry.item,e=this.at;this.go(this.at+1),
this.at!==e&&(this.notice=`Rated: episode ${t}. U takes it back.`,this.showItem())}keep(t){if(this.locked){this.mayRate();return}Object.assign(this.draft,t),this.
drafts.keep(x(this.entry.item)),this.showItem()}put(t,e){this.values[t]=e}send(t){let e=t.item&&t.kind==="save"?this.clock.take(x(t.item)):0;return this.outbox.
add({queue:this.data.queue,seconds:e,...t})}saveComment(){let t=this.view.comment.value;t!==(this.draft.comment??this.value?.comment??"")&&(this.draft.comment=t,
delete this.draft.typed,this.drafts.keep(x(this.entry.item)),this.value&&this.save({...this.value},!0))}keepTyping(){this.draft.typed=this.view.comment.value,this.
drafts.keep(x(this.entry.item))}go(t){let e=Math.max(0,Math.min(this.data.entries.length-1,t));this.saveComment(),this.skipping=!1;let s=this.trainedFirst(e);if(s===
this.at)return this.showItem();this.at=s,this.locked=this.value!==null,this.notice="",Wn(this.data,this.entry.item),this.show()}trainedFirst(t){let e=this.data.
entries.findIndex((s,o)=>s.training&&!s.skipped&&!this.values[o]);return e<0||this.data.entries[t].training?t:e}skip(t){this.entry.skipped=!0,this.entry.reason=
t,this.send({kind:"skip",item:this.entry.item,reason:t}),this.go(this.at+1)}undo(){this.saveComment();let t=this.past.pop();t&&(this.put(t.at,t.before),this.at=
t.at,this.drafts.put(x(this.entry.item),t.draft),this.refusals.delete(t.at),this.locked=!1,this.notice=`Undone: episode ${this.entry.item.episode}.`),this.send(
{kind:"undo",item:t?this.entry.item:null}),this.show()}settle(t){let e=this.conflicts.get(this.at);if(!e)return;this.conflicts.delete(this.at);let s=this.value;
this.drafts.drop(x(this.entry.item)),this.locked=!1,this.put(this.at,e.value),t&&s?this.save(s):this.showItem()}walkOn(t){this.shelf.walk(this.at,t)}endWalk(t,e){
let s=this.clock.take(x(this.entry.item)),o={task:"follow",gave_up:e,comment:""};this.past.push({at:this.at,before:this.value,draft:{}}),this.put(this.at,o),this.
outbox.add({queue:this.data.queue,kind:"walk",item:this.entry.item,choices:t,gave_up:e,seconds:s}),this.goesOn&&!this.entry.training?this.goOn():this.showItem()}receive(t){
this.shelf.take(t),this.root.dataset.shelf=[...this.shelf.sheets.keys()].join(" "),t.some(({position:e})=>e===this.at)&&(this.showItem(),this.itemView.show())}show(){
let{item:t}=this.entry;this.places.stay(x(t)),ms(this.data,t),this.clock.turn(x(t)),this.root.dataset.position=String(this.at),this.root.dataset.episode=t.episode,
this.showItem(),this.itemView.show(),this.shelf.need(this.at)}showItem(){Yt(this.root,()=>{this.view.show(),this.form.show()})}commands(){if(this.skipping)return this.
view.reasons();let t=this.locked?[]:this.form.commands();return[...this.view.conflictCommands(),...t,...this.view.commands()]}destroy(){this.saveComment(),this.
stopped.abort(),this.channel.close(),xa(this.data),this.itemView.destroy(),this.view.destroy(),this.root.replaceChildren()}};function up(n,t){let e=s=>JSON.stringify(
s&&Object.entries(s).sort());return e(n)===e(t)}var Ba=new Map;function Gn(n){let t=Ba.get(n)??{desk:null,post:null,want:null,digest:""};return Ba.set(n,t),t}function za({data:n,parentElement:t}){let{digest:e,
bytes:s}=ot(n),o=Zt(s),i=Gn(o.desk);if(i.desk&&i.desk.root.parentElement===t)i.digest!==e&&i.desk.update(o);else{i.desk?.destroy();let a=document.createElement(
"div");t.replaceChildren(a),i.desk=new Ds(a,o,{post:(c,h)=>i.post?.("actions",{queue:c,actions:h}),want:c=>(i.want?.("ask",c),i.want!==null)})}i.digest=e;let r=i.
desk;return()=>{i.desk===r&&(i.desk=null),r.destroy()}}function Ha({data:n,setTriggerValue:t}){let e=Gn(n.desk);e.post=t,e.desk?.outbox.receive(n.answers)}function Fa({
data:n,setTriggerValue:t}){let e=Zt(ot(n).bytes),s=Gn(e.desk);s.want=t,s.desk?.receive(e.sheets)}var Wa="drafts",pp=50,Kn=new Map,Bs=null;function qa(){let n=Z(Wa);return Array.isArray(n)?n:[]}function zs(n,t){let e=qa().filter(([s])=>s!==n);X(Wa,t?[...e.slice(
1-pp),[n,t]]:e)}function Ua({data:n,setTriggerValue:t}){let{scope:e,original:s,written:o,text:i,listensTo:r}=n,a=qa().find(([h])=>h===e)?.[1],c=Kn.get(e);return Kn.
set(e,i),a&&a.text===i?i===o&&zs(e,null):a&&c===void 0?(a.base===o||o===s)&&t("draft",{text:a.text}):r?a&&c!==i&&!document.activeElement?.matches(r)&&zs(e,null):
c!==i&&zs(e,i===o?null:{base:o,text:i}),r&&(Bs=n,document.addEventListener("input",ja)),()=>{r&&document.removeEventListener("input",ja),Kn.delete(e)}}function ja({
target:n}){if(!Bs||!(n instanceof HTMLTextAreaElement)||!n.matches(Bs.listensTo))return;let{scope:t,written:e}=Bs;zs(t,n.value===e?null:{base:e,text:n.value})}var fp=Uint32Array.from({length:256},(n,t)=>{let e=t;for(let s=0;s<8;s+=1)e=e&1?3988292384^e>>>1:e>>>1;return e});function mp(n){let t=4294967295;for(let e of n)
t=fp[(t^e)&255]^t>>>8;return(t^4294967295)>>>0}function Vn(...n){let t=[];for(let[e,s]of n)for(let o=0;o<s;o+=1)t.push(e>>>8*o&255);return Uint8Array.from(t)}async function Ga(n,t){
let e=[],s=[],o=0,i=0;for(let{name:c,file:h}of n){let d=new Uint8Array(await h.arrayBuffer()),u=new TextEncoder().encode(c),p=d.length,f=[[20,2],[2048,2],...[0,
0,0].map(m=>[m,2]),[mp(d),4],[p,4],[p,4],[u.length,2],[0,2]];e.push(Vn([67324752,4],...f),u,d),s.push(Vn([33639248,4],[20,2],...f,[0,2],[0,2],[0,2],[0,4],[o,4]),
u),o+=30+u.length+p,i+=46+u.length}let r=n.length,a=Vn([101010256,4],[0,4],[r,2],[r,2],[i,4],[o,4],[0,2]);return new File([...e,...s,a],t,{type:"application/zip"})}var Va=".st-key-pickers_open button",Ka='[role="dialog"] .st-key-pickers_upload_False input[type="file"]',gp='[role="dialog"] [role="tab"]',yp=1e6,Xn=2e4,wp=6e3,
kp=1e4;function Xa({data:n}){let t=l("div",{class:"nv-drop",role:"status",hidden:!0});document.body.append(t);let e=c=>{t.hidden=!c,t.textContent=c},s=c=>!(c.target instanceof
Element&&c.target.closest('[data-testid="stFileUploaderDropzone"]'))&&c.dataTransfer?.types.includes("Files")&&document.querySelector(Va),a=[["dragover",c=>{s(c)&&
(c.preventDefault(),e(n.types.includes("zip")?"Drop a file or a folder to open it":"Drop a file to open it"))}],["dragleave",c=>{c.relatedTarget||e("")}],["drop",
async c=>{if(!s(c)||!c.dataTransfer)return;c.preventDefault(),e("Reading …");let h=await bp(c.dataTransfer,n).catch(String);e(h),h&&setTimeout(()=>e(""),wp)}]];
for(let[c,h]of a)window.addEventListener(c,h);return()=>{for(let[c,h]of a)window.removeEventListener(c,h);t.remove()}}async function bp(n,{types:t,most_mb:e}){let s=[
...n.items].map(a=>a.webkitGetAsEntry()).filter(a=>a!==null),o=s.length?[]:[...n.files].map(a=>({name:a.name,file:a}));for(let a of s)await Za(a,"",o);if(!o.length)
return"There is no file in it.";if(o.length>Xn)return`It holds more than ${Xn.toLocaleString("en")} files: open its path by Open ….`;if(o.reduce((a,{file:c})=>a+
c.size,0)>e*yp)return`It is larger than ${e} MB: open its path by Open ….`;let{file:r}=o[0];if(o.length>1||s[0]?.isDirectory){if(!t.includes("zip"))return"Dro\
p one file, or open the path of the folder by Open ….";r=await Ga(o,`${s.length===1?s[0].name:"dropped"}.zip`)}return t.some(a=>r.name.toLowerCase().endsWith(
`.${a}`))?await xp(r)?"":"Press Open … and choose the file there.":`${r.name} is no file that opens here: ${t.join(", ")}.`}async function Za(n,t,e){let s=t+n.
name;if(e.length>Xn)return;if(n.isFile){let i=n;e.push({name:s,file:await new Promise((r,a)=>i.file(r,a))});return}let o=n.createReader();for(;;){let i=await new Promise(
(r,a)=>o.readEntries(r,a));if(!i.length)return;for(let r of i)await Za(r,`${s}/`,e)}}async function xp(n){document.querySelector(Ka)||document.querySelector(Va)?.
click();let t=await vp(()=>document.querySelector(Ka));if(!(t instanceof HTMLInputElement))return!1;for(let s of document.querySelectorAll(gp))s instanceof HTMLElement&&
s.textContent?.includes("Upload")&&s.click();let e=new DataTransfer;return e.items.add(n),t.files=e.files,t.dispatchEvent(new Event("change",{bubbles:!0})),!0}function vp(n){
let t=performance.now()+kp;return new Promise(e=>{let s=()=>{let o=n();o||performance.now()>t?e(o):requestAnimationFrame(s)};s()})}function Sp(n){return n.toLowerCase().replace(/\p{Nd}+/gu,t=>t.padStart(20,"0"))}var Hs=class{constructor(t){this.columns=t,this.count=Object.values(t)[0]?.length??
0,this.texts=void 0,this.sortKeys=new Map}column(t){return Object.hasOwn(this.columns,t)?this.columns[t]:[]}cell(t,e){return this.column(t)[e]??null}haystacks(){
if(!this.texts){let[t,e]=[this.column("episode"),this.column("instruction")];this.texts=t.map((s,o)=>`${e[o]??""} ${s}`.toLowerCase())}return this.texts}apply(t){
let e=Array.from({length:this.count},(o,i)=>i),s=t.search.toLowerCase().split(/\s+/).filter(Boolean);if(s.length){let o=this.haystacks();e=e.filter(i=>s.every(r=>o[i].
includes(r)))}for(let[o,i]of Object.entries(t.choices))i.length&&(e=this.chosen(e,o,new Set(i)));for(let[o,[i,r]]of Object.entries(t.ranges)){let a=this.column(
o);e=e.filter(c=>Mp(a[c],i,r))}return t.sort?this.sorted(e,t.sort,t.descending):e}chosen(t,e,s){let o=this.column(e);return t.filter(i=>{let r=o[i];return Array.
isArray(r)?[...s].every(a=>r.includes(a)):r!=null&&s.has(String(r))})}sorted(t,e,s){let o=this.keys(e),i=t.filter(c=>(o[c]??null)!==null),r=t.filter(c=>(o[c]??null)===
null),a=s?-1:1;return i.sort((c,h)=>a*Tp(o[c],o[h])||c-h),[...i,...r]}keys(t){let e=this.sortKeys.get(t)??this.column(t).map(s=>typeof s=="string"?Sp(s):s);return this.
sortKeys.set(t,e),e}counts(t){let e=new Map;for(let s of this.column(t))for(let o of Array.isArray(s)?s:[s])o!=null&&e.set(String(o),(e.get(String(o))??0)+1);return e}span(t){
let[e,s]=[Number.POSITIVE_INFINITY,Number.NEGATIVE_INFINITY];for(let o of this.column(t))typeof o=="number"&&(e=Math.min(e,o),s=Math.max(s,o));return e<=s?{low:e,
high:s}:null}};function Mp(n,t,e){return typeof n=="number"&&n>=t&&n<=e}function Tp(n,t){if(typeof n=="number"&&typeof t=="number")return n-t;let[e,s]=[String(n),
String(t)];return e===s?0:e<s?-1:1}function Qt(){return{search:"",choices:{},ranges:{},sort:null,descending:!1}}function Ep(n){let t=n.split(",").map(o=>o.trim()===""?Number.NaN:Number(o)),[e,s]=t;
return t.length===2&&Number.isFinite(e)&&Number.isFinite(s)&&e<=s?[e,s]:null}function Ya(n,t){let e=Qt();e.search=(n.get("q")??"").trim();for(let{name:i,filter:r}of t){
let a=n.get(i)??"";if(r==="range"){let c=Ep(a);c&&(e.ranges[i]=c)}else if(r){let c=a.split(",").filter(Boolean);c.length&&(e.choices[i]=c)}}let s=n.get("sort")??
"",o=t.find(({name:i})=>i===s.replace(/^-/,""));return o&&o.kind!=="tags"&&(e.sort=o.name,e.descending=s.startsWith("-")),e}function Ja(n){let t={};n.search&&(t.
q=n.search);for(let[e,s]of Object.entries(n.choices))s.length&&(t[e]=s.join(","));for(let[e,[s,o]]of Object.entries(n.ranges))t[e]=`${s},${o}`;return n.sort&&(t.
sort=(n.descending?"-":"")+n.sort),t}function Qa(n){let t=Object.values(n.choices).some(e=>e.length>0);return n.search!==""||t||Object.keys(n.ranges).length>0}function tl(n,t){
return n.sort===t.name?{...n,descending:!n.descending}:{...n,sort:t.name,descending:t.kind==="number"}}var $p=/^'*[=+\-@\t\r\n]/,Lp=/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i,Ap=/[",\r\n]/;function el(n){if(n==null)return"";if(typeof n=="number")return String(n);let t=Array.
isArray(n)?n.join("; "):n,e=$p.test(t)&&!Lp.test(t)?`'${t}`:t;return Ap.test(e)?`"${e.replaceAll('"','""')}"`:e}function sl(n,t,e){let s=[t.map(({name:o})=>el(o)).
join(",")];for(let o of e)s.push(t.map(({name:i})=>el(n.cell(i,o))).join(","));return`${s.join(`
`)}
`}function nl(n){return`${n.replace(/[^\p{L}\p{N}._-]+/gu,"-").replace(/^[-.]+|(?<![-.])[-.]+$/g,"")||"episodes"}.csv`}function ol(n,t){let e=URL.createObjectURL(
new Blob([t],{type:"text/csv;charset=utf-8"})),s=document.createElement("a");s.href=e,s.download=n,s.click(),setTimeout(()=>URL.revokeObjectURL(e),6e4)}var il=12,Ot=class{constructor(t,e,s){this.box=t,this.height=e,this.draw=s,this.lines=0,this.first=-1,this.last=-1,this.sheet=l("div",{class:"nl-sheet"}),t.append(
this.sheet),t.addEventListener("scroll",()=>this.fill()),this.sizes=new ResizeObserver(()=>this.fill()),this.sizes.observe(t)}show(t){this.lines=t,this.sheet.style.
height=`${t*this.height}px`,this.first=this.last=-1,this.fill()}redraw(){this.first=-1,this.fill()}fill(){let t=Math.max(0,this.box.scrollTop-this.sheet.offsetTop),
e=Math.max(0,Math.floor(t/this.height)-il),s=Math.min(this.lines,Math.ceil((t+this.box.clientHeight)/this.height)+il);if(e===this.first&&s===this.last)return;[this.
first,this.last]=[e,s];let o=[];for(let i=e;i<s;i+=1){let r=this.draw(i);r.style.top=`${i*this.height}px`,o.push(r)}this.sheet.replaceChildren(...o)}reveal(t){let e=t*
this.height,{scrollTop:s,clientHeight:o}=this.box,i=o-this.sheet.offsetTop;e<s?this.box.scrollTop=e:e+this.height>s+i&&(this.box.scrollTop=e+this.height-i)}destroy(){
this.sizes.disconnect(),this.sheet.remove()}};var rl=32,al={episode:96,outcome:96,instruction:380,cause:220,number:98,text:138,tags:180},ll=34,Op="–";function te(n,{labels:t}){return t&&Object.hasOwn(t,n)?
t[n]:n}function _p(n,t){return n==null||Array.isArray(n)&&!n.length?Op:Array.isArray(n)?n.map(e=>te(e,t)).join(", "):typeof n=="string"?te(n,t):typeof n=="numbe\
r"&&t.digits!==void 0?n.toFixed(t.digits):String(Math.round(n*1e4)/1e4)}var Zn=n=>n.ctrlKey||n.metaKey||n.altKey,Fs=class{constructor(t,e,s,o){this.box=t,this.rows=
e,this.columns=s,this.on=o,this.shown=[],this.at=0;let i=s.map(({name:d,kind:u})=>al[d]??al[u]),r=s.map(({name:d},u)=>d==="instruction"?`minmax(${i[u]}px, 1fr)`:
`${i[u]}px`);o.alike&&r.unshift(`${ll}px`);let a=i.reduce((d,u)=>d+u,o.alike?ll:0),c={"--nl-columns":r.join(" "),"--nl-width":`${a}px`};this.head=l("div",{class:"\
nl-heads",role:"row"});let h=l("div",{class:"nl-rows",role:"table",tabindex:0,style:c},this.head);t.replaceChildren(h),this.window=new Ot(h,rl,d=>this.line(d)),
h.addEventListener("keydown",d=>this.onKey(d)),this.inner=h}show(t,e){this.shown=t,this.at=0;let s=this.columns.map(o=>this.headOf(o,e));this.on.alike&&s.unshift(
l("span",{class:"nl-tool",role:"columnheader","aria-label":"Alike"})),this.head.replaceChildren(...s),this.rove(this.buttons[0]),this.inner.setAttribute("aria-r\
owcount",String(t.length+1)),this.inner.scrollTop=0,this.window.show(t.length)}get buttons(){return[...this.head.querySelectorAll("button")]}rove(t){for(let e of this.
buttons)e.tabIndex=e===t?0:-1}headOf(t,e){let s=e.sort===t.name,o=e.descending?"descending":"ascending",i=e.descending?" ↓":" ↑",r={class:`nl-cell nl-${t.kind}`,
role:"columnheader","aria-sort":s?o:"none"};if(t.kind==="tags")return l("span",{...r,title:t.help,text:t.label});let a={click:()=>this.on.sort(t)},c=l("button",
{type:"button",title:t.help,on:a},t.label+(s?i:""));return l("span",r,c)}line(t){let e=this.shown[t],s=this.columns.map(r=>{let a=_p(this.rows.cell(r.name,e),r),
c={class:`nl-cell nl-${r.kind}`,role:"cell",title:a};return r.name!=="outcome"?l("span",{...c,dir:"auto",text:a}):l("span",c,l("span",{class:`nl-chip nl-${a}`,text:a}))});
this.on.alike&&s.unshift(this.tool(e));let i={class:`nl-row${t===this.at?" nl-here":""}`,role:"row",href:this.on.href(e),tabindex:-1,data:{row:e}};return l("a",
{...i,"aria-rowindex":t+2},...s)}isFailure(t){return t<this.shown.length&&this.rows.cell("outcome",this.shown[t])==="failure"}tool(t){let e=l("span",{class:"nl-\
tool",role:"cell"});if(this.rows.cell("outcome",t)!=="failure")return e;let s=`Failures like ${this.rows.cell("episode",t)}`,o={class:"nl-alike",role:"button",title:`${s}\
 (a)`,"aria-label":s,data:{alike:t}};return e.append(l("span",{...o,text:"≈"})),e}destroy(){this.window.destroy()}onKey(t){let{buttons:e}=this,s=e.indexOf(t.target);
if(s>=0){let r={ArrowRight:1,ArrowLeft:-1}[t.key];if(!r||Zn(t))return;t.preventDefault();let a=e[(s+r+e.length)%e.length];this.rove(a),a.focus();return}let o=Math.
max(1,Math.floor(this.inner.clientHeight/rl)-2),i={ArrowDown:1,ArrowUp:-1,PageDown:o,PageUp:-o,Home:-this.shown.length,End:this.shown.length};t.key==="Enter"&&t.
target===this.inner&&this.shown.length?this.on.open(this.shown[this.at]):t.key==="a"&&this.on.alike&&this.isFailure(this.at)&&!Zn(t)?this.on.alike(this.shown[this.
at]):t.key in i&&!Zn(t)&&(t.preventDefault(),this.at=Math.max(0,Math.min(this.shown.length-1,this.at+i[t.key])),this.window.reveal(this.at),this.window.redraw())}};var Cp=60,js=class{constructor(t,e,s,o){this.rows=e,this.onChange=o,this.state=Qt(),this.all=s,this.columns=s.filter(u=>this.divides(u)),this.sorts=s.filter(({kind:u})=>u!==
"tags");let i={input:()=>this.set({search:this.search.value.trim()})},r={type:"search",placeholder:"Search instructions and ids","aria-label":"Search"};this.search=
l("input",{...r,on:i}),this.body=l("div",{class:"nl-filter-list"}),this.mark=l("span",{class:"nl-filter-mark"});let a=l("summary",{},"Filters",this.mark);this.fold=
l("details",{class:"nl-filters"},a,this.body),this.clear=l("button",{type:"button",class:"nl-clear",text:"Clear filters",on:{click:()=>this.reset()}}),this.chips=
l("span",{class:"nl-chips"});let c={change:()=>this.set({sort:this.by.value||null,descending:this.falls(this.by.value)})};this.by=l("select",{"aria-label":"Sort\
 by",on:c},l("option",{value:"",text:"File order"}));for(let{name:u,label:p}of this.sorts)this.by.append(l("option",{value:u,text:p}));let h={click:()=>this.set(
{descending:!this.state.descending})};this.direction=l("button",{type:"button",class:"nl-direction",on:h});let d=l("span",{class:"nl-order"},this.by,this.direction);
t.replaceChildren(this.search,this.fold,d,this.chips,this.clear),this.onPress=u=>this.closeFrom(u.target),document.addEventListener("pointerdown",this.onPress),
this.fold.addEventListener("keydown",u=>this.closeByKey(u))}destroy(){document.removeEventListener("pointerdown",this.onPress)}closeByKey(t){t.key!=="Escape"||!this.
fold.open||(t.stopPropagation(),this.fold.open=!1,this.fold.querySelector("summary")?.focus())}falls(t){return this.sorts.some(e=>e.name===t&&e.kind==="number")}closeFrom(t){
this.fold.open&&t instanceof Node&&!this.fold.contains(t)&&(this.fold.open=!1)}divides({name:t,filter:e}){if(e==="range"){let s=this.rows.span(t);return s!==null&&
s.low<s.high}return e!==void 0&&this.rows.counts(t).size>1}show(t){this.state=t,this.search.value.trim()!==t.search&&(this.search.value=t.search);let s=Object.values(
t.choices).filter(o=>o.length).length+Object.keys(t.ranges).length;this.mark.textContent=s?String(s):"",this.clear.hidden=!Qa(t),this.chips.replaceChildren(...this.
chipsOf(t)),this.by.value=t.sort??"",this.direction.textContent=t.descending?"↓":"↑",this.direction.title=t.descending?"Falling; press for rising":"Rising; \
press for falling",this.direction.setAttribute("aria-label",this.direction.title),this.direction.disabled=!t.sort,this.body.contains(document.activeElement)||this.
body.replaceChildren(...this.columns.map(o=>this.part(o)))}chipsOf(t){let e=[];for(let s of this.all){let{name:o,label:i}=s;for(let r of t.choices[o]??[]){let a=t.
choices[o].filter(h=>h!==r),c={...t.choices,[o]:a};e.push(this.chip(`${i}: ${te(r,s)}`,{choices:c}))}if(Object.hasOwn(t.ranges,o)){let{[o]:r,...a}=t.ranges;e.push(
this.chip(`${i}: ${r[0]} to ${r[1]}`,{ranges:a}))}}return e}chip(t,e){let s={click:()=>this.set(e)},o={type:"button",class:"nl-off",title:`Take this filter away\
: ${t}`};return l("button",{...o,on:s},l("span",{text:t})," ✕")}set(t){this.onChange({...this.state,...t})}reset(){this.search.value="",this.set({search:"",choices:{},
ranges:{}})}part(t){let e=t.filter==="range"?this.range(t):this.choice(t);return l("fieldset",{title:t.help},l("legend",{text:t.label}),...e)}choice(t){let{name:e}=t,
s=new Set(this.state.choices[e]??[]);return[...this.rows.counts(e)].sort((i,r)=>r[1]-i[1]).slice(0,Cp).map(([i,r])=>{let a=h=>{h.target.checked?s.add(i):s.delete(
i),this.set({choices:{...this.state.choices,[e]:[...s]}})},c=l("input",{type:"checkbox",checked:s.has(i),on:{change:a}});return l("label",{},c,l("span",{text:te(
i,t)}),l("small",{text:r}))})}range({name:t}){let e=this.rows.span(t)??{low:0,high:0},[s,o]=this.state.ranges[t]??[e.low,e.high],i=[Math.floor(e.low),Math.ceil(
e.high)],r=[s,o].map((c,h)=>l("input",{type:"number",step:"any",value:h?Math.ceil(c):Math.floor(c),"aria-label":h?"at most":"at least",on:{change:()=>a()}})),a=()=>{
let c=r.map((d,u)=>d.value===""?i[u]:Number(d.value)),h={...this.state.ranges};c[0]<=i[0]&&c[1]>=i[1]?delete h[t]:h[t]=[Math.min(...c),Math.max(...c)],this.set(
{ranges:h})};return[l("div",{class:"nl-limits"},r[0],l("span",{text:"to"}),r[1])]}};var Yn=148;function cl(n){let t=[];for(let e=0;e<n.length;e+=2)t.push(`${n[e]},${n[e+1]}`);return t.join(" ")}function Ip(n,t,e){let{r:s,a:o,l:i,g:r}=n,a=[];r&&
a.push(y("image",{class:"ground",href:r,width:96,height:96})),s.length&&(a.push(y("polyline",{class:"ref",points:cl(s)})),a.push(y("circle",{class:"goal",cx:s[s.
length-2],cy:s[s.length-1],r:4.5})));for(let[h,d]of i??[[null,o]]){let u=y("polyline",{class:"agent",points:cl(d)});typeof h=="string"&&(u.style.stroke=h),a.push(
u)}if(o.length){let[h,d]=o.slice(-2);a.push(y("circle",{class:"start",cx:o[0],cy:o[1],r:3})),t==="failure"?a.push(y("path",{class:"cross",d:`M${h-3},${d-3}l6,6m\
0,-6l-6,6`})):a.push(y("circle",{class:"stop",cx:h,cy:d,r:2.6}))}let c=y("svg",{class:"nl-thumb",viewBox:"0 0 96 96",role:"img","aria-label":e},...a);return c.dataset.
outcome=t,c}var Ws=class{constructor(t,e,s){this.thumbOf=e,this.cardOf=s,this.shown=[],this.across=1,this.inner=l("div",{class:"nl-gallery",tabindex:0,role:"lis\
t"}),t.replaceChildren(this.inner),this.window=new Ot(this.inner,Yn,o=>this.line(o)),this.sizes=new ResizeObserver(()=>this.fit()),this.sizes.observe(this.inner)}show(t){
this.shown=t,this.inner.scrollTop=0,this.across=Math.max(1,Math.floor(this.inner.clientWidth/Yn)),this.window.show(Math.ceil(t.length/this.across))}fit(){let t=Math.
max(1,Math.floor(this.inner.clientWidth/Yn));t!==this.across&&(this.across=t,this.window.show(Math.ceil(this.shown.length/t)))}destroy(){this.sizes.disconnect(),
this.window.destroy()}line(t){let e=this.shown.slice(t*this.across,(t+1)*this.across);return l("div",{class:"nl-cards"},...e.map(s=>this.card(s)))}card(t){let{title:e,
caption:s,outcome:o,href:i}=this.cardOf(t),r=l("span",{class:"nl-picture"});return this.thumbOf(t).then(a=>r.replaceChildren(Ip(a,o,e))),l("a",{class:"nl-card",
role:"listitem",href:i,title:e,data:{row:t}},r,l("span",{text:s}))}};var qs=class{constructor(t,e,s,o){this.rows=e,this.columns=s,this.host=o,this.state=Qt(),this.shown=[],this.only=null,this.view="",this.before=l("div",{class:"n\
l-before"}),this.after=l("div",{class:"nl-after"});let i=l("div",{class:"nl-filter-bar"});this.count=l("span",{class:"nl-count","aria-live":"polite"});let r={click:()=>ol(
nl(o.run()),sl(e,s,this.shown))},a="Download these episodes as CSV, in this order";this.csv=l("button",{type:"button",class:"nl-csv",title:a,text:"CSV",on:r}),this.
none=l("p",{class:"nl-none",text:"No episode passes these filters; clear one of them."}),this.box=l("div",{class:"nl-box"}),this.filters=new js(i,e,s,c=>o.change(
c)),t.replaceChildren(l("div",{class:"nl-bar"},this.before,i,this.count,this.csv,this.after),this.none,this.box)}turn(t){this.view=t,this.table?.destroy(),this.
gallery?.destroy(),this.table=this.gallery=void 0,this.box.replaceChildren(),t==="table"?this.table=new Fs(this.box,this.rows,this.columns,{open:e=>this.host.open(
e),sort:e=>this.host.change(tl(this.state,e)),href:e=>this.host.href(e),alike:this.host.alike}):t==="gallery"&&(this.gallery=new Ws(this.box,this.host.thumbOf,e=>this.
card(e)))}show(t){this.state=t;let{rows:e,only:s}=this;this.shown=e.apply(t),s&&(this.shown=this.shown.filter(h=>s.has(h)));let{shown:o}=this,i=e.column("outcom\
e"),r=o.filter(h=>i[h]==="success").length,c=o.some(h=>!["unknown","unfinished"].includes(String(i[h])))?` · ${$(r)} succeeded`:"";this.count.textContent=`${$(
o.length)} of ${$(e.count)} episodes${c}`,this.csv.disabled=o.length===0,this.none.hidden=o.length>0,this.filters.show(t),this.table?.show(o,t),this.gallery?.show(
o)}get scroller(){return this.table?.inner??this.gallery?.inner}spot(){let{scrollTop:t=0,scrollLeft:e=0}=this.scroller??{},s=this.scroller?.contains(document.activeElement)??
!1;return{top:t,left:e,at:this.table?.at??0,isOpen:this.filters.fold.open,hasFocus:s}}resume({top:t,left:e,at:s,isOpen:o,hasFocus:i}){let{scroller:r,table:a,shown:c}=this;
this.filters.fold.open=o,a&&(a.at=Math.max(0,Math.min(s,c.length-1))),r&&(i&&r.focus({preventScroll:!0}),r.scrollTop=t,r.scrollLeft=e,a?.window.redraw())}card(t){
let e=String(this.rows.cell("episode",t)),s=String(this.rows.cell("outcome",t)),o=this.rows.cell("NE",t),i=this.columns.find(({name:c})=>c==="NE")?.digits??0,r=typeof o==
"number"?`${e} · ${o.toFixed(i)} m`:e;return{title:`${e}: ${s}. ${this.rows.cell("instruction",t)??""}`,caption:r,outcome:s,href:this.host.href(t)}}destroy(){this.
table?.destroy(),this.gallery?.destroy(),this.filters.destroy()}};var Us=class{constructor(t){this.send=t,this.query={},this.base={},this.sent={},this.turn=0}take(t,e,s){let o=e<this.turn,i=o&&Date.now()-this.turn>=5e3;if(i&&s&&
this.tell(),o&&(!i||s))return!1;let r=Np(this.query,o?this.base:this.sent,t);this.base=t,this.sent=t;let a=Gs(r)!==Gs(this.query);return this.query=r,a}get told(){
let t={};for(let e of new Set([...Object.keys(this.base),...Object.keys(this.sent)])){let s=this.query[e]===this.base[e]?this.sent[e]:this.base[e];s!==void 0&&(t[e]=
s)}return{query:this.query,base:t}}tell(){this.turn=Math.max(Date.now(),this.turn+1),this.send("query",{...this.told,turn:this.turn}),this.sent=this.query}},Gs=n=>JSON.
stringify(Object.entries(n).sort());function Np(n,t,e){let s={};for(let o of new Set([...Object.keys(n),...Object.keys(e)])){let i=e[o]===t[o]?n[o]:e[o];i!==void 0&&
(s[o]=i)}return s}var Rp=300,Dp=60,Bp=150,_t=new Map,Qn=new Map,zp=2;function hl({data:n}){let{digest:t,bytes:e}=ot(n);if(!_t.has(t)){_t.set(t,Hp(e));for(let i of[..._t.keys()].slice(
0,-zp))_t.delete(i)}let s=_t.get(t),o=Qn.get(t);return Qn.delete(t),o&&s.then(o),()=>{}}async function Hp(n){let t=new Uint8Array(n),e=new Blob([t]).stream().pipeThrough(
new DecompressionStream("gzip"));return new Hs(await new Response(e).json())}function Fp(n){return _t.get(n)??new Promise(t=>Qn.set(n,t))}var to=class{constructor(t){
this.root=document.createElement("div"),this.root.className="navviz-list",t.replaceChildren(this.root),this.list=null,this.data=null,this.exchange=new Us((e,s)=>this.
send(e,s)),this.send=()=>{},this.pause=void 0,this.thumbs=new eo(e=>this.send("want",e)),this.root.addEventListener("click",e=>this.onClick(e))}async update(t){
let e=this.data;this.data=t,this.root.dataset.theme=D(this.root);let s=await Fp(t.rows);if(this.data!==t)return;let o=!this.list||e?.alike!==t.alike||e?.rows!==
t.rows||JSON.stringify(e.columns)!==JSON.stringify(t.columns),i=!1,r=o||e?.view!==t.view,a=e?.view===t.view&&e.place.run===t.place.run,c=o&&a?this.list?.spot():
void 0;o&&this.make(s,t),r&&this.list?.turn(t.view),this.exchange.take(t.query,t.turn,a)&&([r,i]=[!0,!0]),r&&this.list?.show(this.state),c&&!i&&this.list?.resume(
c),this.root.dataset.ready=Gs(t.query)}make(t,e){let s=this.list?.filters.search===document.activeElement;this.list?.destroy(),this.thumbs.forget(),this.list=new qs(
this.root,t,e.columns,{change:o=>this.change(o),open:o=>this.open(o),href:o=>this.href(o),thumbOf:o=>this.thumbs.of(o),alike:e.alike?o=>this.alike(o):void 0,run:()=>this.
data?.place.run??""}),s&&this.list.filters.search.focus()}get state(){return Ya(new URLSearchParams(this.exchange.query),this.data?.columns??[])}change(t){let e=t.
search!==this.state.search;this.exchange.query=Ja(t),this.list?.show(t),this.later(e?Rp:0)}later(t){clearTimeout(this.pause),this.pause=setTimeout(()=>this.exchange.
tell(),t)}open(t){clearTimeout(this.pause);let e=String(this.list?.rows.cell("episode",t));this.send("open",{episode:e,...this.exchange.told})}alike(t){clearTimeout(
this.pause);let e=encodeURIComponent(String(this.list?.rows.cell("episode",t)));this.exchange.query={like:`${e};`,sort:"-likeness"},this.exchange.tell()}href(t){
let e=String(this.list?.rows.cell("episode",t));return`replay?${new URLSearchParams({...this.data?.place,episode:e,...this.exchange.query})}`}onClick(t){let e=t.
target instanceof Element?t.target.closest("[data-alike]"):null;if(e instanceof HTMLElement){t.preventDefault(),this.alike(Number(e.dataset.alike));return}let s=t.
target instanceof Element?t.target.closest("a[data-row]"):null;!(s instanceof HTMLElement)||t.ctrlKey||t.metaKey||t.shiftKey||t.altKey||(t.preventDefault(),this.
open(Number(s.dataset.row)))}destroy(){clearTimeout(this.pause),this.list?.destroy(),this.root.remove()}},eo=class{constructor(t){this.fetch=t,this.parts=new Map,
this.wanted=new Set,this.under=0,this.pause=void 0}of(t){let e=this.parts.get(t);if(!e){let s=()=>{};e={made:new Promise(i=>{s=i}),give:s},this.parts.set(t,e),this.
wanted.add(t),this.later(Dp)}return e.made}later(t){clearTimeout(this.pause),this.pause=setTimeout(()=>this.ask(),t)}ask(){if(!this.wanted.size)return;let t=this.
under+5e3-Date.now();if(this.under&&t>0){this.later(t);return}this.under=Date.now(),this.fetch([...this.wanted].slice(-Bp))}take(t){for(let[e,s]of Object.entries(
t))this.wanted.delete(Number(e)),this.parts.get(Number(e))?.give(s);this.under=0,this.later(0)}forget(){clearTimeout(this.pause),this.parts.clear(),this.wanted.
clear(),this.under=0}},Jn=new WeakMap,Ct=null;async function dl({data:n,parentElement:t,setTriggerValue:e}){let s=Jn.get(t)??new to(t);return Jn.set(t,s),Ct=s,s.
send=e,await s.update(n),()=>{Jn.delete(t),Ct===s&&(Ct=null),s.destroy()}}function ul({data:n}){return Ct&&n.rows===Ct.data?.rows&&Object.keys(n.thumbs).length&&
Ct.thumbs.take(n.thumbs),()=>{}}var jp={start:"Click where the walk starts",goal:"Click the goal",again:"Click to choose a new start"},Wp=120,qp=3e3,Up={ArrowUp:[0,-1],ArrowDown:[0,1],ArrowLeft:[
-1,0],ArrowRight:[1,0]},Gp=.4,Ks=class n{static mount(t,e,s){return new n(t,e,s)}constructor(t,e,s){this.root=t,this.doc=e,this.options=s,this.colors=new V(t),t.
classList.add("navviz-pick"),this.box=l("div",{class:"nv-pick-map",role:"application","aria-label":"Map: click, or move with the arrow keys and press Enter, to \
choose a start and a goal"}),this.tip=l("div",{class:"nv-pick-tip",role:"status"}),this.cursor=null,this.neighbours=null,this.credit=l("div",{class:"nv-pick-cre\
dit"}),t.append(this.box,this.tip,this.credit);let o=e.frame==="geo"?{crs:L.CRS.EPSG3857,minZoom:11,maxZoom:20}:{crs:L.CRS.Simple,minZoom:-2,maxZoom:8};this.map=
L.map(this.box,{zoomControl:!0,attributionControl:!1,preferCanvas:!0,keyboard:!1,zoomSnap:.25,...o}),this.ground=L.layerGroup().addTo(this.map),this.marks=L.layerGroup().
addTo(this.map),this.map.on("click",i=>{let r=this.nearest(i.containerPoint);r!==null&&this.options.onPick(r)}),this.map.on("mousemove",i=>this.hover(this.nearest(
i.containerPoint))),this.map.on("mouseout",()=>this.hover(this.cursor)),this.box.tabIndex=0,this.box.addEventListener("keydown",i=>this.keyed(i)),this.sized=new ResizeObserver(
()=>this.map.invalidateSize({animate:!1})),this.sized.observe(t),this.show(!0),this.map.setView(e.at[e.around??0]??[0,0],e.frame==="geo"?16:4),(e.frame!=="geo"||
e.ids.length<qp)&&this.map.fitBounds(this.extent())}extent(){let{at:t,rooms:e}=this.doc;return L.latLngBounds([...t,...e.flatMap(s=>s.outline)]).pad(.03)}update(t,e){
let s=this.doc.ids.length===t.ids.length&&this.doc.ids[0]===t.ids[0];s||(this.cursor=this.neighbours=null),this.doc=t,this.options=e,this.show(!s),!s&&t.frame!==
"geo"&&this.map.fitBounds(this.extent(),{animate:!1})}show(t){let e=D(this.root),s=this.root.dataset.theme!==e;this.root.dataset.theme=e,this.root.style.height=
`${this.options.height}px`,(t||s)&&this.drawGround(),this.drawMarks(),this.tip.textContent=this.options.words??jp[this.options.mode],this.credit.textContent=this.
doc.attribution??""}drawGround(){let{doc:t,colors:e}=this;this.ground.clearLayers(),this.box.style.background=e.get("ground");let s=new Map(t.bends),o=t.links.map(
([r,a],c)=>[t.at[r],...s.get(c)??[],t.at[a]]),i={interactive:!1,smoothFactor:0};t.picture&&L.imageOverlay(t.picture.url,t.picture.corners,{interactive:!1}).addTo(
this.ground);for(let r of t.rooms)this.drawRoom(r);if(t.frame==="geo")L.polyline(o,{...i,color:e.get("street-edge"),weight:6}).addTo(this.ground),L.polyline(o,{
...i,color:e.get("street"),weight:4}).addTo(this.ground);else{L.polyline(o,{...i,color:e.get("poi"),weight:1,opacity:.7}).addTo(this.ground);let r={radius:4,stroke:!1,
fillColor:e.get("poi"),fillOpacity:1,interactive:!1};for(let a of t.at)L.circleMarker(a,r).addTo(this.ground)}for(let r of t.stairs)L.circleMarker(t.at[r],{radius:5,
color:e.get("poi"),weight:1.5,fillColor:e.get("ground")}).bindTooltip(l("span",{text:"to another floor"})).addTo(this.ground);for(let r of t.pois)L.circleMarker(
r.at,{radius:3,stroke:!1,fillColor:e.get("poi"),fillOpacity:.9}).bindTooltip(l("span",{text:r.name})).addTo(this.ground)}drawRoom({name:t,outline:e}){let{colors:s}=this,
o=L.polygon(e,{color:s.get("poi"),weight:1.5,fillColor:s.get("street"),fillOpacity:this.doc.picture?0:.35,interactive:!1}).addTo(this.ground);if(!t)return;let i=o.
getBounds(),r=l("span",{class:"nv-pick-room",text:t}),a=L.divIcon({html:r,className:"nv-pick-name",iconSize:[0,0]});L.marker([i.getNorth(),i.getCenter().lng],{icon:a,
interactive:!1,keyboard:!1}).addTo(this.ground)}drawMarks(){let{doc:t,colors:e}=this;this.marks.clearLayers(),this.hover(this.cursor),t.route.length&&L.polyline(
t.route,{color:e.get("reference"),weight:5,dashArray:"9 7",interactive:!1}).addTo(this.marks),this.mark(t.start,"Start",{color:e.get("ink"),weight:3,fillColor:e.
get("ground"),fillOpacity:1});let s={color:e.get("reference"),weight:4,fillColor:e.get("reference"),fillOpacity:.5};this.mark(t.goal,t.several?"1":"Goal",s);for(let[
o,i]of t.more)this.mark(i,String(o),s)}mark(t,e,s){if(t===null)return;L.circleMarker(this.doc.at[t],{...s,radius:8,interactive:!1}).bindTooltip(e,{permanent:!0,
direction:"right"}).addTo(this.marks)}keyed(t){let e=Up[t.key],s=t.key==="Enter"||t.key===" ";if(!(t.ctrlKey||t.metaKey||t.altKey)){if(e)this.go(e);else if(s&&this.
cursor!==null)this.options.onPick(this.cursor);else return;t.preventDefault(),t.stopPropagation()}}go(t){let{doc:e,map:s}=this,o=e.more.at(-1)?.[1]??e.goal??e.start??
e.around??0,i=this.cursor??o;if(this.cursor!==null){let r=this.towards(i,t,this.links().get(i)??[]);this.cursor=r??this.towards(i,t,e.at.keys())??i}else this.cursor=
o;this.hover(this.cursor),e.at[this.cursor]&&s.panInside(e.at[this.cursor],{padding:[60,60],animate:!1})}towards(t,[e,s],o){let i=this.map.latLngToContainerPoint(
this.doc.at[t]),r=null,a=Number.POSITIVE_INFINITY;for(let c of o){let h=this.map.latLngToContainerPoint(this.doc.at[c]),d=h.distanceTo(i),u=d?((h.x-i.x)*e+(h.y-
i.y)*s)/d:0;if(u<Gp)continue;let p=Array.isArray(o)?-u:d/u;p<a&&(a=p,r=c)}return r}links(){if(this.neighbours)return this.neighbours;let t=new Map,e=(s,o)=>t.set(
s,[...t.get(s)??[],o]);for(let[s,o]of this.doc.links)e(s,o),e(o,s);return this.neighbours=t,t}nearest(t){let e=null,s=Wp;return this.doc.at.forEach((o,i)=>{let r=this.
map.latLngToContainerPoint(o).distanceTo(t);r<s&&(s=r,e=i)}),e}hover(t){this.lit?.remove(),this.lit=t===null?null:L.circleMarker(this.doc.at[t],{radius:7,color:this.
colors.get("lit"),weight:3,fill:!1,interactive:!1}).addTo(this.map)}destroy(){this.sized.disconnect(),ke(this.map),this.root.replaceChildren()}};var so=new WeakMap;function fl({data:n,parentElement:t,setTriggerValue:e}){let s={...n.options,onPick:r=>e("picked",r)},o=so.get(t);if(o)o.update(n.document,s);else{
let r=document.createElement("div");t.append(r),o=Ks.mount(r,n.document,s),so.set(t,o)}let i=o;return()=>{so.delete(t),i.destroy()}}var no=new Set;function ml({
data:n}){let{address:t,receipt:e}=n;if(no.has(e))return;no.add(e),fetch(t,{method:"POST",headers:{"X-NavViz-Receipt":e}}).catch(()=>no.delete(e))}var pl="#invit\
e=";function gl({setTriggerValue:n}){let t=()=>{if(!location.hash.startsWith(pl))return;let[e,s]=location.hash.slice(pl.length).split(":");history.replaceState(
history.state,"",location.pathname+location.search);try{n("invited",{name:decodeURIComponent(e),token:s??""})}catch{}};return t(),window.addEventListener("hashc\
hange",t),()=>window.removeEventListener("hashchange",t)}function yl({data:n,parentElement:t}){let e=document.createElement("div");e.className="nv-guide nv-pros\
e";let s=document.createElement("div");s.className="navviz-desk navviz-guidelines",s.append(e),t.replaceChildren(s),s.dataset.theme=D(s),e.replaceChildren(...Jt(
n.text));let o=i=>{let r=i.target;r instanceof HTMLTextAreaElement&&r.matches(n.listensTo)&&e.replaceChildren(...Jt(r.value))};return document.addEventListener(
"input",o),()=>document.removeEventListener("input",o)}var Kp=300,Vs=new WeakMap,It=null;async function wl({data:n,parentElement:t,setTriggerValue:e}){let{digest:s,bytes:o}=ot(n),i=Vs.get(t);if(i&&(i.send=e),i?.digest===
s)return i.destroy;let r=Zt(o);if(i){if(i.digest=s,i.listensTo=r.options.listensTo,i.shows===r.options.shows){let c=await i.player;i.digest===s&&(c.options.breakpoints=
r.options.breakpoints,await c.update(r.document))}else i.shows=r.options.shows,i.player=Yp(i,r),await i.player;return i.digest===s&&(i.root.dataset.digest=s),i.
destroy}let a=Xp(t,s,e,r);return Vs.set(t,a),await a.player,a.destroy}function kl({data:n}){let t=ot(n);return It?.digest!==t.digest&&(It=t),()=>{}}async function Vp(){
return It&&(It.entries??=oa(It.bytes)),await It?.entries??[]}function Xp(n,t,e,s){let o=document.createElement("div");n.append(o);let i={digest:t,send:e,shows:s.
options.shows,listensTo:s.options.listensTo,root:o,player:j.mount(o,s.document,bl(s.options,()=>i)),destroy:()=>{Vs.delete(n),r(),i.player.then(a=>{a.destroy(),
o.remove()})}},r=Zp(i);return i}function Zp(n){let t,e=o=>{let i=o.target;!n.listensTo||!(i instanceof HTMLTextAreaElement)||!i.matches(n.listensTo)||(clearTimeout(
t),t=setTimeout(()=>n.send("typed",{text:i.value}),Kp))},s=({target:o})=>{o instanceof Element&&o.closest(".st-key-replay_talk_add button")&&n.player.then(i=>i.
act("talk"))};return document.addEventListener("input",e),document.addEventListener("click",s),()=>{clearTimeout(t),document.removeEventListener("click",s),document.
removeEventListener("input",e)}}function bl(n,t){return{...n,onAction:(e,s,o,i,r)=>t().send("action",{name:e,step:s,episode:o??null,cause:i??null,at:r??null}),runIndex:n.
episodes?Vp:void 0}}async function Yp(n,{document:t,options:e}){let[s,o]=await Promise.all([n.player,Xt(t.strings)]);return n.shows!==e.shows||!Vs.has(n.root.parentElement)?
s:(s.destroy(),new j(n.root,t,bl(e,()=>n),o))}var xl=!1;function vl(){xl||(xl=!0,window.addEventListener("keydown",n=>{let{target:t,key:e}=n;!(t instanceof HTMLInputElement&&t.type==="checkbox")||!/^[a-z]$/i.
test(e)||n.ctrlKey||n.metaKey||n.altKey||n.defaultPrevented||document.querySelector(".navviz-player")||document.body.dispatchEvent(new KeyboardEvent("keydown",n))}))}var Jp={cookie:ml,desk:za,draft:Ua,drop:Xa,episodes:kl,guide:yl,invitation:gl,list:dl,pick:fl,player:wl,post:Ha,rows:hl,shelf:Fa,thumbs:ul},Qp=(n,t)=>(wa(),vl(),
ga(Jp[n],t));globalThis.NavVizPlayer=j;globalThis.NavVizTalk=fs;globalThis.NavVizStreamlit=oo;window.dispatchEvent(new Event("navviz-code"));})();
