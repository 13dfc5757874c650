/* Built from assets/player/src by `npm run build`; do not edit. */
"use strict";(()=>{var Vs=Object.defineProperty;var Us=(n,t)=>{for(var e in t)Vs(n,e,{get:t[e],enumerable:!0})};var qs=new Set(["class","text","on","data","style"]);function a(n,t={},...e){let s=document.createElement(n);t.class&&(s.className=t.class),t.text!==void 0&&t.text!==
null&&(s.textContent=String(t.text));for(let[o,i]of Object.entries(t.on??{}))s.addEventListener(o,i);for(let[o,i]of Object.entries(t.data??{}))s.dataset[o]=String(
i);for(let[o,i]of Object.entries(t.style??{}))s.style.setProperty(o,i);for(let[o,i]of Object.entries(t))qs.has(o)||i===void 0||i===null||i===!1||s.setAttribute(
o,i===!0?"":String(i));for(let o of e.flat())o!=null&&o!==!1&&s.append(o);return s}var Ks="http://www.w3.org/2000/svg";function g(n,t={},...e){let s=document.createElementNS(
Ks,n);for(let[o,i]of Object.entries(t))s.setAttribute(o,String(i));return s.append(...e),s}var T=n=>n.preventDefault();function at(n,t,e,s,o){let i=a("details",
n,t,e);return i.open=s,t.addEventListener("click",()=>o(!i.open)),i}var Xs={first:"M6 5v14M19 5 9 12l10 7z",previous:"M17 5 7 12l10 7z",play:"M7 4l13 8-13 8z",pause:"\
M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",next:"M7 5l10 7-10 7z",last:"M18 5v14M5 5l10 7-10 7z",keys:"M12 17h.01M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.1",present:"\
M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",search:"M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",copy:"M9 9h11v11H9zM5 15H4V4h11v1",closer:"M12 5\
v14M5 12h14",farther:"M5 12h14",whole:"M4 9V5a1 1 0 0 1 1-1h4M20 9V5a1 1 0 0 0-1-1h-4M4 15v4a1 1 0 0 0 1 1h4M20 15v4a1 1 0 0 1-1 1h-4",close:"M12 3v3M12 18v3M3 \
12h3M18 12h3M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",tiles:"M9 4 3.5 6.5v13L9 17l6 3 5.5-2.5v-13L15 7 9 4zM9 4v13M15 7v13",layers:"M12 4 3 9l9 5 9-5zM4 13l8 4.5L20 1\
3",plan:"M4 4h16v16H4zM4 11h7V4M11 20v-5h9",both:"M3 5h18v14H3zM12 5v14",scene:"M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5"},Js=new Set(["fi\
rst","previous","play","pause","next","last"]);function lt(n){let t=Js.has(n)?"nv-icon nv-filled":"nv-icon";return g("svg",{viewBox:"0 0 24 24",class:t,"aria-hi\
dden":"true"},g("path",{d:Xs[n]}))}function x(n,t,e,s={}){return a("button",{...{type:"button",class:"nv-button",title:t,"aria-label":t,data:s},on:{mousedown:T,
click:e}},lt(n))}function w(n,t=0){return n==null?"–":n.toLocaleString("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})}function G(n){return n==null?"–":`$${w(n,n<
.1?4:2)}`}function ct(n){if(n==null)return"–";if(n<90)return`${w(n,1)} s`;let t=Math.round(n);return`${Math.floor(t/60)} min ${t%60} s`}function k(n,t=1){return n==
null?"–":`${w(n,t)} m`}var j=n=>String(Math.round(n*1e3)/1e3),F=(n,t,e)=>`${w(n)} ${n===1?t:e}`,ht=n=>n.length>12?`${n.slice(0,6)}…`:n;var fe=(n,t)=>Math.atan2(t[0]-n[0],t[1]-n[1])*180/Math.PI,pt=n=>((n+180)%360+360)%360-180;function Ut(n,t,e){let s=t*Math.PI/180;return[n[0]+e*Math.sin(s),n[1]+
e*Math.cos(s)]}var me=n=>Math.floor(((n%360+360)%360+22.5)/45)%8;function ye(n){Ys(n);let t=n.house.rooms.length?Qs(n):tn(n);return en(n),sn(n),nn(n),t}function Ys(n){let{color:t}=n.api;for(let{floor:e,outline_m:s}of n.house.
outlines){if(e!==n.floor)continue;let o=s.map(([r,l])=>[l,r]),i={color:t("mute"),weight:1,opacity:.6,dashArray:"2 3",fillColor:t("paper"),fillOpacity:.8};n.add(
L.polygon(o,n.on("ground",i)),"ground")}}function Qs(n){let{color:t}=n.api,e=[],s=n.house.rooms.filter(o=>o.floor===n.floor);for(let{box_m:[o,i,r,l]}of s){let c=n.
on("ground",{color:t("mute"),weight:1.5,fillColor:t("paper"),fillOpacity:1,lineJoin:"miter"});e.push({layer:n.add(L.rectangle([[i,o],[l,r]],c),"ground"),width_m:.1,
least:1.5})}for(let{at_m:[o,i]}of n.house.doors.filter(r=>r.floor===n.floor)){let r=s.some(({box_m:[p,,d]})=>Math.abs(p-o)<.01||Math.abs(d-o)<.01),[l,c]=r?[0,.45]:
[.45,0],h=n.on("ground",{color:t("paper"),lineCap:"butt"});e.push({layer:n.add(L.polyline([[i-c,o-l],[i+c,o+l]],h),"ground"),width_m:.16,least:3})}return e}function tn(n){
let{links:t}=n.doc,e=[];for(let r=0;r<t.length;r+=2)n.here(t[r])&&n.here(t[r+1])&&e.push(n.line([t[r],t[r+1]]));let s=n.api.color("street"),o=n.on("ground",{stroke:!1,
fillColor:s,fillOpacity:1});for(let r of we(n))n.add(L.circle(n.spotOf(r),{...o,radius:1.7/2}),"ground");return e.length?[{layer:n.add(L.polyline(e,n.on("ground",
{color:s,smoothFactor:0})),"ground"),width_m:1.7,least:4}]:[]}var we=n=>n.doc.nodes.ids.map((t,e)=>e).filter(t=>n.here(t));function en(n){let{links:t}=n.doc,e=n.
api.color("node"),s=[],o=[];for(let i=0;i<t.length;i+=2){let[r,l]=[t[i],t[i+1]];n.here(r)&&n.here(l)?s.push(n.line([r,l])):n.here(r)?o.push(ge(n,r,l)):n.here(l)&&
o.push(ge(n,l,r))}n.add(L.polyline(s,n.on("ground",{color:e,weight:1.1})),"ground"),n.ways=o}function ge(n,t,e){let{color:s}=n.api,[o,i]=[n.metresOf(t),n.metresOf(
e)],r=Math.hypot(i[0]-o[0],i[1]-o[1])||1,[l,c]=[(i[0]-o[0])/r,(i[1]-o[1])/r],h=[];for(let p=.28;p<r;p+=.28){let[d,u]=[o[0]+l*p,o[1]+c*p];h.push([[u+l*.32,d-c*.32],
[u-l*.32,d+c*.32]])}return n.add(L.polyline([n.line([t,e])],n.on("ground",{color:s("node"),weight:1.1,dashArray:"3 3"})),"ground"),n.add(L.polyline(h,n.on("grou\
nd",{color:s("mute"),weight:1.4,lineCap:"butt"})),"ground"),{spot:n.spotOf(e),up:i[2]>o[2],floor:n.floorOf(e)??0}}function sn(n){let{color:t}=n.api,e=n.on("grou\
nd",{radius:2.6,stroke:!1,fillColor:t("poi"),fillOpacity:1}),s=n.on("ground",{radius:3,color:t("poi"),weight:1.5,fillColor:t("ground"),fillOpacity:1});for(let o of we(
n))n.add(L.circleMarker(n.spotOf(o),n.stairs.has(o)?s:e),"ground")}function nn(n){if(!n.layers.shows("pois"))return;let t=n.on("ground",{radius:1.9,stroke:!1,fillColor:n.
api.color("mute"),fillOpacity:.7});for(let e of n.doc.pois)n.placeHere(e.at)&&n.add(L.circleMarker(n.spot(e.at),t),"ground")}var dt=3;function xe(n){return!!n.observation?.format.startsWith("panorama")||n.panels.some(t=>t.kind==="directions")}function ve(n,t,e){let{color:s}=n.api,o=n.
metresOf(t),i=me(e),r=(h,p)=>n.spot(Ut(o,h,p)),l=Array.from({length:10},(h,p)=>r(i*45-22.5+5*p,dt));n.add(L.polygon([n.spotOf(t),...l],n.on("step",{stroke:!1,fillColor:s(
"seen"),fillOpacity:.2})),"step"),n.add(L.circle(n.spotOf(t),{...n.on("step",{color:s("seen-ink"),weight:1,dashArray:"2 4",fill:!1}),radius:dt}),"step");let c=Array.
from({length:8},(h,p)=>[r(p*45+22.5,.55*dt),r(p*45+22.5,dt)]);n.add(L.polyline(c,n.on("step",{color:s("seen-ink"),weight:1,opacity:.5})),"step")}function be(n,t,e){
let s=typeof t.node=="number"?n.metresOf(t.node):null;return(t.observation?.pois??[]).flatMap(o=>{let i=/^(left|right) ([\d.]+)/.exec(o.direction??"");if(i&&e!==
void 0&&s&&o.distance_m!==void 0){let r=e+(i[1]==="left"?-1:1)*Number(i[2]);return[{...o,at:[...Ut(s,r,o.distance_m),s[2]]}]}return o.at&&!o.approximate?[{...o,
at:o.at}]:[]})}var on=Math.PI/4,rn=1.04,[an,ln]=[.2,6],ut=(n,t)=>n[0]*t[0]+n[1]*t[1]+n[2]*t[2],ke=(n,t)=>[n[1]*t[2]-n[2]*t[1],n[2]*t[0]-n[0]*t[2],n[0]*t[1]-n[1]*t[0]],Se=n=>{let t=Math.
hypot(...n);return[n[0]/t,n[1]/t,n[2]/t]};function Le(n,t,e){let s=Se(t),o=Se(ke([0,0,1],s)),i=ke(s,o),r=Math.tan(on/2)/rn,[l,c]=Me(n,o,s,r*e),[h,p]=Me(n,i,s,r),
d=Math.min(ln,Math.max(an,c,p)),u=f=>[0,1,2].map(y=>o[y]*l+i[y]*h+s[y]*f);return{eye:u(d),center:u(0)}}function Me(n,t,e,s){let o=Math.max(...n.map(r=>ut(r,e)+ut(
r,t)/s)),i=Math.max(...n.map(r=>ut(r,e)-ut(r,t)/s));return[s*(o-i)/2,(o+i)/2]}function Q(n,t,e){let s=[];for(let o=t;o<e;o+=1){let{skill:i}=n[o],r=!!n[o].walk_back,l=s.at(-1);l&&l.skill===i&&l.back===r?l.to=o+1:s.push({skill:i,back:r,from:o,
to:o+1})}return s}var v=(n,t)=>t===void 0?void 0:n.skills?.[t]?.colour,Te=(n,t)=>n.skills?.find(e=>e.name===t)?.colour,ft=n=>[...new Set(n.flatMap(t=>t.skill===
void 0?[]:[t.skill]))].sort((t,e)=>t-e),qt=(n,t)=>n.find(e=>e.sub_goal===t&&e.skill!==void 0)?.skill;var S={type:"scatter3d",hoverinfo:"skip",showlegend:!1},$e=.9,Oe=36;function mt(n){let{at:t,ids:e}=n.nodes;return s=>typeof s=="number"&&s<e.length?t.slice(3*s,
3*s+3):null}function O(n){let t=n.filter(e=>e!==null);return{x:t.map(e=>e[0]),y:t.map(e=>e[1]),z:t.map(e=>e[2])}}function Kt(n){let t={x:[],y:[],z:[]};for(let e of n){
let{x:s,y:o,z:i}=O(e);t.x.push(...s,null),t.y.push(...o,null),t.z.push(...i,null)}return t}function Ae(n,t){let e=mt(n),s=n.reference.map(e),o=e(n.episode.goal)??
s.at(-1)??null,i=[e(n.episode.start),o],r=["Start","Goal"].filter((p,d)=>i[d]),l=[];for(let p=0;p<n.links.length;p+=2)l.push([e(n.links[p]),e(n.links[p+1])]);let c=[
"circle-open","diamond"].filter((p,d)=>i[d]),h=[t("ink"),t("reference")].filter((p,d)=>i[d]);return[...dn(n,t),{...S,name:"links",mode:"lines",...Kt(l),line:{color:t(
"node"),width:1.6}},{...S,name:"viewpoints",mode:"markers",...O(n.nodes.ids.map((p,d)=>e(d))),hoverinfo:"none",marker:{size:3.4,color:hn(n,t),line:{width:0}}},{
...S,name:"reference",mode:"lines",...O(s),line:{color:t("reference"),width:7,dash:"dash"}},...pn(o,n.episode.success_radius_m,t("reference")),{...S,name:"ends",
mode:"markers+text",...O(i),text:r,textposition:"top center",textfont:{color:t("ink"),size:13},marker:{size:6,symbol:c,color:h,line:{width:3,color:t("ink")}}},...un(
n,t)]}function Xt(n,t,e,s){let o=mt(n),i=(p,d)=>n.steps.slice(p,d).flatMap(u=>u.path.length?u.path:[u.node]).map(o),r=n.steps[e-1],l=o(e===0?n.episode.start:r?.
node),c=e===0?n.episode.start_heading_deg:r?.heading_deg,h=i(0,e);return[{...S,name:"ahead",mode:"lines",...O([h.at(-1)??null,...i(e,n.steps.length)]),line:{color:t(
"agent"),width:2,dash:"dot"}},{...S,name:"walked",mode:"lines",...O(h),line:{color:Jt(n,t,e),width:6}},{...S,name:"facing",mode:"lines",...O(cn(l,c)),line:{color:t(
"agent"),width:9}},{...S,name:"agent",mode:"markers",...O([l]),marker:{size:8,color:t("agent"),line:{width:2,color:t("paper")}}},{...S,name:"light",mode:"marker\
s",...O(s),marker:{size:11,color:t("lit"),opacity:.8}}]}function Jt(n,t,e){if(!n.skills)return t("agent");let s=mt(n);return n.steps.slice(0,e).flatMap(o=>(o.path.
length?o.path:[o.node]).filter(r=>s(r)!==null).map(()=>v(n,o.skill)??t("agent")))}function cn(n,t){if(!n||t===void 0)return[];let e=t*Math.PI/180;return[n,[n[0]+
$e*Math.sin(e),n[1]+$e*Math.cos(e),n[2]]]}function hn(n,t){let e=[t("mute"),t("poi"),t("landmark")];return(n.indoor?.floor_of??[]).map(s=>e[s%e.length])}function pn(n,t,e){
if(!n)return[];let[s,o,i]=n,r=c=>Array.from({length:Oe+1},(h,p)=>{let d=2*Math.PI*p/Oe;return c(t*Math.cos(d),t*Math.sin(d))}),l=[r((c,h)=>[s+c,o+h,i]),r((c,h)=>[
s+c,o,i+h]),r((c,h)=>[s,o+c,i+h])];return[{...S,name:"goal sphere",mode:"lines",...Kt(l),opacity:.55,line:{color:e,width:2}}]}function dn(n,t){let{rooms:e,floors:s}=n.
indoor??{rooms:[],floors:[]};if(!e.length)return[];let o={x:[],y:[],z:[],i:[],j:[],k:[]},i=[];for(let{box_m:[r,l,c,h],floor:p}of e){let d=o.x.length,u=s[p].level_m;
o.x.push(r,c,c,r),o.y.push(l,l,h,h),o.z.push(u,u,u,u),o.i.push(d,d),o.j.push(d+1,d+2),o.k.push(d+2,d+3),i.push([[r,l,u],[c,l,u],[c,h,u],[r,h,u],[r,l,u]])}return[
{type:"mesh3d",name:"rooms",...o,color:t("area-building"),opacity:.35,hoverinfo:"skip",showlegend:!1},{...S,name:"walls",mode:"lines",...Kt(i),line:{color:t("mu\
te"),width:1.5}}]}function un(n,t){if(!n.compare)return[];let e=n.compare.steps.flatMap(s=>s.path.length?s.path:[s.node]).map(mt(n));return[{...S,name:"compared",
mode:"lines",...O(e),line:{color:t("other"),width:5,dash:"longdashdot"}}]}var fn=[-.22,-.78,.68],mn=40,_e=90,gn=900,Ee={displayModeBar:!1,responsive:!1,scrollZoom:!0},Z=class n{constructor(t,e,s,o){this.box=t,this.doc=e,this.api=s,this.
onPoint=o,this.step=0,this.ready=!1,this.gone=!1,this.busy=!1,this.stale=!1,this.asked=0,this.cost=0,this.lit=[],this.note=a("p",{class:"nv-nothing",text:"Loadi\
ng the 3-D scene …"}),this.plot=a("div",{class:"nv-plot"}),t.append(this.plot,this.note)}static possible(t){return!!(globalThis.Plotly||t.options.plotly)}static loading=null;static async load(t){
if(!globalThis.Plotly&&t&&(n.loading??=new Promise((e,s)=>{let o={load:()=>e(),error:()=>s(new Error("not reachable"))};document.head.append(a("script",{src:t,async:!0,
on:o}))}),await n.loading.catch(()=>{n.loading=null})),!globalThis.Plotly)throw new Error("plotly's script is not there");return globalThis.Plotly}async start(t){
this.step=t;try{this.plotly=await n.load(this.api.options.plotly)}catch{this.note.textContent="The 3-D scene is not there: plotly's script could not be loaded.";
return}if(!this.gone){if(await this.plotly.newPlot(this.plot,this.traces(),this.layout(),Ee),this.gone){this.plotly.purge(this.plot);return}this.note.remove(),this.
ready=!0,this.box.dataset.ready="true",this.plot.on("plotly_hover",e=>this.onPoint(Pe(e))),this.plot.on("plotly_unhover",()=>this.onPoint(null)),this.plot.on("p\
lotly_click",e=>{let s=Pe(e);s&&this.api.pick(s)}),this.resize(),this.step!==t&&this.later()}}traces(){let t=Ae(this.doc,this.api.color);return this.moving=t.length,
[...t,...Xt(this.doc,this.api.color,this.step,this.lit)]}layout(){let t={visible:!1,showgrid:!1,zeroline:!1,showspikes:!1},e=this.api.color("ground"),s=this.edges(),
[o,i,r]=s.map(M=>({...t,range:M})),l=s.map(([M,Y])=>Y-M),c=Math.max(...l),[h,p,d]=l.map(M=>M/c),{clientWidth:u,clientHeight:f}=this.box,y=this.corners().map(M=>M.
map((Y,it)=>(Y-(s[it][0]+s[it][1])/2)/c)),{eye:B,center:E}=Le(y,fn,(u||1)/(f||1)),R={x:0,y:0,z:1},I={eye:Ce(B),center:Ce(E),up:R,projection:{type:"perspective"}};
return{margin:{l:0,r:0,t:0,b:0},paper_bgcolor:e,showlegend:!1,uirevision:"stay",hovermode:"closest",width:u||300,height:f||300,scene:{aspectmode:"manual",aspectratio:{
x:h,y:p,z:d},xaxis:o,yaxis:i,zaxis:r,uirevision:"stay",bgcolor:e,camera:I}}}corners(){let{nodes:t,indoor:e}=this.doc,s=t.ids.map((o,i)=>t.at.slice(3*i,3*i+3));for(let{
box_m:o,floor:i}of e?.rooms??[]){let r=e?.floors[i].level_m??0;for(let l of[o[0],o[2]])for(let c of[o[1],o[3]])s.push([l,c,r])}return s.length?s:[[0,0,0]]}edges(){
let t=this.corners();return[0,1,2].map(e=>[Math.min(...t.map(s=>s[e]))-.4,Math.max(...t.map(s=>s[e]))+.4])}showStep(t){this.step=t,this.later()}highlight(t){this.
lit=t,this.later()}later(){this.stale=!0,this.ready&&(this.asked=performance.now(),!this.busy&&(this.busy=!0,this.follow()))}async follow(){for(;this.stale&&!this.
gone&&this.plotly;){await this.calm(),this.stale=!1;let t=performance.now();await this.draw(),this.cost=performance.now()-t}this.busy=!1}async calm(){await new Promise(
s=>requestAnimationFrame(()=>setTimeout(s,0)));let t=performance.now(),e=()=>performance.now()-this.asked>_e;for(;this.cost>mn&&!e()&&performance.now()-t<gn;)await new Promise(
s=>setTimeout(s,_e/3))}async draw(){let t=Xt(this.doc,this.api.color,this.step,this.lit),e=o=>t.map(i=>i[o]),s=t.map((o,i)=>(this.moving??0)+i);await this.plotly?.
restyle(this.plot,{x:e("x"),y:e("y"),z:e("z")},s),await this.recolour(t.findIndex(o=>o.name==="walked")),await new Promise(o=>requestAnimationFrame(()=>setTimeout(
o,0)))}async recolour(t){if(!this.doc.skills||!this.plotly||this.gone)return;let e=Jt(this.doc,this.api.color,this.step);await this.plotly.restyle(this.plot,{"l\
ine.color":[e]},[(this.moving??0)+t])}redraw(){if(!this.ready)return;let t=this.plot.layout.scene?.camera,e=this.layout();t&&Object.assign(e.scene,{camera:t}),this.
plotly?.react(this.plot,this.traces(),e,Ee)}update(t){this.doc=t,this.redraw()}resize(){let{clientWidth:t,clientHeight:e}=this.box;this.ready&&t>20&&this.plotly?.
relayout(this.plot,{width:t,height:e})}destroy(){this.gone=!0,this.ready&&this.plotly?.purge(this.plot)}},Ce=([n,t,e])=>({x:n,y:t,z:e});function Pe({points:n}){
let t=n?.[0];return t?.data?.name==="viewpoints"?`n:${t.pointNumber}`:null}var Yt=4,N=n=>`stage-${n%Yt+1}`;function yt(n,t){return n.findIndex(({first:e,last:s})=>e!==void 0&&s!==void 0&&t>=e&&t<=s)}function Re(n,t,e,s){let o=[0,...n.flatMap(
({first:i})=>i===void 0?[]:[i]),e];return s>0?o.find(i=>i>t):o.findLast(i=>i<t)}var gt=class{constructor(t,e){this.line=t,this.bands=a("div",{class:"nv-bands"}),
this.second=a("div",{class:"nv-second"}),e.before(this.bands),e.after(this.second),this.bandNodes=[]}get doc(){return this.line.doc}build(){let{stages:t,episode:e}=this.
doc,s=t.filter(({first:o})=>o!==void 0);this.bands.hidden=s.length===0,this.second.hidden=e.step_tasks.length===0,this.bandNodes=t.map((o,i)=>this.band(o,i)),this.
bands.replaceChildren(...this.bandNodes,...t.flatMap((o,i)=>this.marks(o,i))),this.second.replaceChildren(...e.step_tasks.map(o=>this.stepTask(o)))}place(t,e){let s=this.
line.left(t);return{left:`${s}%`,width:`${this.line.left(e+1)-s}%`}}band({first:t,last:e,status:s},o){if(t===void 0||e===void 0)return a("div",{class:"nv-band",
style:{display:"none"}});let i=this.doc.episode.tasks[o],r=i?.target??i?.description??"",l={...this.place(t,e),"--nv-stage":`var(--nv-${N(o)})`},c={click:()=>this.
line.player.toStage(o)},h=`Part ${o+1}: ${i?.description??""} · ${s}`;return a("div",{class:"nv-band",data:{stage:o+1},title:h,style:l,on:c},a("span",{text:`${o+
1}  ${r}`}))}marks({state:t,status:e,stops:s,last:o,oracle:i},r){let l=[];if(i!==void 0){let c=`Step ${i}: first within reach of target ${r+1}`;l.push(a("div",{
class:"nv-oracle",title:c,style:{left:`${this.line.middle(i)}%`}}))}if(s&&o!==void 0){let c=t==="reached",h=`nv-flagpole ${c?"nv-good":"nv-missed"}`,p=`Step ${o}\
: stops for target ${r+1}: ${e}`,d={flag:c?"good":"bad",step:o};l.push(a("div",{class:h,title:p,data:d,style:{left:`${this.line.middle(o)}%`}}))}return l}stepTask({
first:t,last:e,instruction:s,segments:o}){let i=o.map(([c,h,p])=>{let d=e+1-t,u={left:`${100*(c-t)/d}%`,width:`${100*(h+1-c)/d}%`},f=p==="move_forward"?"forward":
p==="zigzag"?"zigzag":p.includes("left")?"left":"right";return a("div",{class:"nv-stretch-part",data:{part:f},title:`Steps ${c}–${h}: ${p}`,style:u})}),r=`Ste\
p task, steps ${t}–${e}: ${s}`,l={click:()=>this.line.player.jump(t)};return a("div",{class:"nv-steptask",title:r,style:this.place(t,e),on:l},i,a("span",{text:s}))}show(t){
this.doc.stages.forEach(({first:e,last:s},o)=>{let i=e!==void 0&&s!==void 0&&t>=e&&t<=s;this.bandNodes[o].classList.toggle("nv-now",i)})}};function Ne(n,{tools:t,legend:e,credit:s,floors:o}){let i=Math.min(e?e[1]:n.y,s?s[1]:n.y),r=t?n.x-t[0]:0,l=o?o[2]:0,c=p=>Math.min(p+22,.3*n.x),h=p=>Math.min(p+22,
.3*n.y);return[c(l),h(0),c(r),h(n.y-i)]}var ze=(n,t)=>n[0]<t[2]&&n[2]>t[0]&&n[1]<t[3]&&n[3]>t[1],yn=(n,t)=>n[0]>=t[0]&&n[1]>=t[1]&&n[2]<=t[2]&&n[3]<=t[3];function Be({at:[n,t],width:e,height:s,gap:o,within:i,
left:r,must:l},c,h){let p=s/2,d=[n+o,t-p,n+o+e,t+p],u=[n-o-e,t-p,n-o,t+p],f=[...r?[u,d]:[d,u],[n-e/2,t-o-s,n+e/2,t-o],[n-e/2,t+o,n+e/2,t+o+s]],y=f.filter(E=>yn(
E,i??h));return y.find(E=>!c.some(R=>ze(E,R)))??(l?y[0]??f[0]:null)}function Ie(n,t,[e,s,o,i],r){let l=Math.min(8,(i-s)*.08);if(n>o-e-2*l||t>i-s-2*l)return null;
let c=[(e+o-n)/2,e+l,o-n-l],p=[s+l,i-t-l,(s+i-t)/2].flatMap(u=>c.map(f=>[f,u,f+n,u+t])),d=p.map(u=>r.filter(f=>ze(u,f)).length);return p[d.indexOf(Math.min(...d))]}
function je(n,t){let e=[];for(let s=0;s+1<n.length;s+=1){let[o,i]=[n[s],n[s+1]],r=Math.min(60,Math.max(1,Math.ceil(Math.hypot(i[0]-o[0],i[1]-o[1])/(2*t))));for(let l=0;l<=
r;l+=1){let c=o[0]+(i[0]-o[0])*l/r,h=o[1]+(i[1]-o[1])*l/r;e.push([c-t,h-t,c+t,h+t])}}return e}var wn=120,Fe=32,xn=90,vn=.86,bn=11,wt=class{constructor(t){this.view=t,this.tagGroup=L.layerGroup().addTo(t.map),this.nameGroup=L.layerGroup().addTo(t.map),this.
taken=[],this.said=[],this.waiting=void 0,this.type=null}forget(){this.type=null}tags(){let{view:t}=this;if(!(t.gone||!t.map.getSize().x)){this.tagGroup.clearLayers(),
this.taken=[...this.furniture(),...this.signs(),...this.paths()],this.said=[];for(let e of t.tags())this.set(e,this.tagGroup)}}soon(){clearTimeout(this.waiting),
this.waiting=setTimeout(()=>this.names(),wn)}names(){let{view:t}=this;if(t.gone||!t.map.getSize().x)return;this.tags(),this.nameGroup.clearLayers();let e=t.nameRoom();
for(let s of t.names()){if(e<=0)return;this.set(s,this.nameGroup)&&(e-=1)}}set({spot:t,text:e,look:s,gap:o=8,weight:i=500,size:r=vn,left:l,must:c,centred:h,within:p},d){
let{map:u}=this.view,f=u.latLngToContainerPoint(t),y=u.getSize();if(this.said.some(([Vt,Zs])=>Vt===e&&Zs.distanceTo(f)<xn))return!1;let B=e.length>Fe?`${e.slice(
0,Fe-2).trimEnd()}…`:e,[E,R]=this.measure(B,i,r),I=p?.map(Vt=>u.latLngToContainerPoint(Vt)),M=I?[I[0].x,I[0].y,I[1].x,I[1].y]:void 0,Y=[f.x,f.y],it=[2,2,y.x-2,
y.y-2],rt=M&&h?Ie(E,R,M,this.taken):Be({at:Y,width:E,height:R,gap:o,within:M,left:l,must:c},this.taken,it);if(!rt)return!1;this.taken.push(rt),this.said.push([e,
f]);let Hs={left:`${rt[0]-f.x}px`,top:`${rt[1]-f.y}px`,width:`${E}px`,height:`${R}px`,"font-size":`${R/1.3}px`,"font-weight":String(i)},Ws=a("div",{class:`nv-ta\
g ${s}`,text:B,style:Hs}),Gs=L.divIcon({html:Ws,className:"nv-tag-icon",iconSize:[0,0]});return d.addLayer(L.marker(t,{pane:"nv-labels",interactive:!1,keyboard:!1,
icon:Gs})),!0}measure(t,e,s){this.type??=this.readType();let o=Math.max(bn,this.type.px*s);return this.type.pen.font=`${e} ${o}px ${this.type.face}`,[Math.ceil(
this.type.pen.measureText(t).width)+4,o*1.3]}readType(){let t=getComputedStyle(this.view.box),e=document.createElement("canvas").getContext("2d");if(!e)throw new Error(
"this browser has no canvas");return{pen:e,px:Number.parseFloat(t.fontSize),face:t.fontFamily}}furniture(){let{view:t}=this,e=[t.tools,t.legend.box,t.credit,...t.
plan.querySelectorAll(".nv-floors, .leaflet-control-scale")],s=[];for(let o of e){let i=t.boxOf(o);i&&s.push([i[0]-3,i[1]-3,i[2]+3,i[3]+3])}return s}signs(){let{
view:t}=this,e=[],s=(i,r)=>{let l=t.map.latLngToContainerPoint(i);e.push([l.x-r,l.y-r,l.x+r,l.y+r])};for(let i of[t.groups.ends,t.groups.step])i.eachLayer(r=>{r instanceof
L.Marker&&s(r.getLatLng(),10)});let o=t.spotAt(t.standing);return o&&s(o,15),e}paths(){let{view:t}=this;return[t.doc.reference,t.walked].map(s=>t.line(s.filter(
o=>t.here(o)))).flatMap(s=>{let o=s.map(i=>t.map.latLngToContainerPoint(i));return je(o.map(i=>[i.x,i.y]),5)})}keepFree(t){let{map:e}=this.view,s=e.getSize();for(let o of t){
let{x:i,y:r}=e.latLngToContainerPoint(o);i>0&&r>0&&i<s.x&&r<s.y&&this.taken.push([i-3,r-3,i+3,r+3])}}destroy(){clearTimeout(this.waiting)}};function xt(n){try{return JSON.parse(localStorage.getItem(`navviz.${n}`)??"null")}catch{return null}}function tt(n,t){try{localStorage.setItem(`navviz.${n}`,JSON.
stringify(t))}catch{}}var kn={reference:"Reference path",other:"Other run",candidates:"Candidates",seen:"Visible area",memory:"The agent's map",pois:"Places"},vt=class{constructor(t){
this.onChange=t,this.off=new Set;let e=xt("layers.off");if(Array.isArray(e))for(let s of e)this.off.add(String(s));this.list=a("div",{class:"nv-layer-list",hidden:!0}),
this.button=x("layers","Layers",()=>this.toggle(),{tool:"layers"})}shows(t){return!this.off.has(t)}offer(t){this.button.hidden=!t.length,this.list.replaceChildren(
...t.map(e=>this.row(e)))}row(t){let s=a("input",{type:"checkbox",data:{layer:t},on:{change:()=>this.set(t,s.checked)}});return s.checked=this.shows(t),a("label",
{},s,a("span",{text:kn[t]}))}set(t,e){e?this.off.delete(t):this.off.add(t),tt("layers.off",[...this.off]),this.onChange()}toggle(t=this.list.hidden!==!1){this.list.
hidden=!t,this.button.classList.toggle("nv-on",t)}};var bt=class{constructor(){this.box=a("div",{class:"nv-legend"}),this.said=""}show(t){let e=t.filter(o=>o!==null&&o!==!1&&o!==void 0),s=JSON.stringify(e);s!==this.
said&&(this.said=s,this.box.hidden=!e.length,this.box.replaceChildren(...e.map(([o,i,r])=>{let l=r?{"background-color":r}:{};return a("span",{},a("i",{class:`nv\
-key nv-key-${o}`,style:l}),i)})))}room(t){let e=[...this.box.childNodes],{said:s}=this,{hidden:o}=this.box;this.show(t);let{offsetLeft:i,offsetTop:r,offsetWidth:l,
offsetHeight:c}=this.box;return this.said=s,this.box.hidden=o,this.box.replaceChildren(...e),c?[i,r,i+l,r+c]:void 0}};var et={explored:{color:"reference",opacity:.95,word:"explored"},seen:{color:"rejected",opacity:.9,word:"seen"},"pruned now":{color:"bad",dashArray:"3 3",opacity:.95,
word:"pruned now"},"pruned before":{color:"rejected",dashArray:"2 4",opacity:.45,word:"pruned before"}},Sn=9,kt=n=>typeof n=="string"?`nv-place-${n.replaceAll(/[^a-z]+/g,
"-")}`:"";function Qt(n){let t=n?.panels.find(s=>s.kind==="graph"&&Array.isArray(s.data.states));return(Array.isArray(t?.data.nodes)?t.data.nodes:[]).filter(s=>typeof s?.
id=="string"&&typeof s.state=="string")}var De=n=>n.steps.some(t=>Qt(t).length>0),He=n=>new Set(n.steps.flatMap(t=>Qt(t).map(e=>e.state)).filter(t=>t in et)),We=n=>Object.
keys(et).filter(t=>n.has(t)).map(t=>[kt(t).replace("nv-",""),et[t].word]);function Ge(n,t){let e=new Set,s=Qt(t);if(!s.length)return e;let o=new Map(n.doc.nodes.
ids.map((i,r)=>[i,r]));for(let{id:i,state:r}of s){let l=o.get(i),c=Object.hasOwn(et,r)?et[r]:void 0,h=n.spotAt(l);if(!c||!h||!n.here(l))continue;let{color:p,dashArray:d,
opacity:u}=c,f={radius:Sn,color:n.api.color(p),weight:2.6,opacity:u,dashArray:d,fill:!1};n.add(L.circleMarker(h,n.on("step",f)),"step"),e.add(r)}return e}var Mn=n=>n.replace(/[.*+?^${}()|[\]\\]/g,"\\$&"),b=n=>`s:${n.toLowerCase()}`,st=class{constructor(t){this.tokens=new Map(t.nodes.ids.map((e,s)=>[e,`n:${s}`])),
this.letters=new Map,this.baseLetters=new Map,this.names=new Set;for(let e of t.planning.landmarks)this.addName(e.name,e.letter);for(let e of t.steps)for(let s of e.
observation?.pois??[])this.addName(s.name);this.exact=new Set;for(let e of t.pois.slice(0,400))e.kind&&e.name.length>3&&!this.names.has(e.name)&&this.exact.add(
e.name);this.lower=new Set([...this.names].map(e=>e.toLowerCase())),this.pattern=this.makePattern()}addName(t,e){t&&(t.length>2&&this.names.add(t),e&&this.baseLetters.
set(e,b(t)))}makePattern(){let t=[...this.tokens.keys()].filter(o=>!/^[\w-]+$/.test(o)).slice(0,3e3),e=[...[...this.names].slice(0,400),...this.exact,...t].sort(
(o,i)=>i.length-o.length).map(Mn),s=e.length?`(?<![\\p{L}\\p{N}])(${e.join("|")})(?![\\p{L}\\p{N}])`:"($^)";return new RegExp(`${s}|([\\w-]+)|["'\`(]([A-Z])["'\`)]`,
"giu")}setStep(t){this.letters=new Map(this.baseLetters);for(let e of t?.observation?.pois??[])e.letter&&this.letters.set(e.letter,b(e.name))}pieces(t){let e=[],
s=0;for(let o of t.matchAll(this.pattern)){let i=this.refOf(o,t);i&&(o.index>s&&e.push({text:t.slice(s,o.index),ref:null}),e.push({text:o[0],ref:i}),s=o.index+o[0].
length)}return s<t.length&&e.push({text:t.slice(s),ref:null}),e}refOf(t,e){if(t[1])return this.tokens.get(t[1])??(this.isName(t[1])?b(t[1]):null);if(t[3])return this.
letters.get(t[3])??null;let s=t[2],o=this.tokens.get(s)??null;return o&&/^\d{1,4}$/.test(s)&&!/["'`]/.test(e[(t.index??0)-1]??"")?null:o}isName(t){return this.exact.
has(t)||this.lower.has(t.toLowerCase())}letter(t){return/^[A-Z]$/.test(t)?this.letters.get(t):void 0}};var te=14,Ln=10,St=class{constructor(t){this.view=t,this.mouse=null,this.waiting=null,this.pointed=void 0,this.tip=a("div",{class:"nv-map-tip",hidden:!0}),t.plan.
append(this.tip),this.listen()}listen(){let{map:t}=this.view;t.on("mousemove",e=>{this.mouse=e,this.waiting??=requestAnimationFrame(()=>{this.waiting=null,this.
point()})}),t.on("mouseout",()=>{this.mouse=null,this.leave()}),t.on("movestart",()=>{this.tip.hidden=!0}),t.on("click",e=>{let s=this.nearest(e.containerPoint);
s&&this.view.api.pick(s.ref)})}point(){if(!this.mouse||this.view.gone)return;let t=this.nearest(this.mouse.containerPoint);if(t?.ref!==this.pointed){if(!t){this.
leave();return}this.pointed=t.ref,this.view.api.hover([t.ref]),this.view.highlight([t.ref]),this.showTip(t)}}leave(){!this.pointed&&this.tip.hidden||(this.pointed=
void 0,this.tip.hidden=!0,this.view.api.hover([]),this.view.highlight([]))}nearest(t){let{view:e}=this,s=e.map.containerPointToLatLng(t),o=e.map.containerPointToLatLng(
t.add([te,-te])),[i,r]=[Math.abs(o.lat-s.lat),Math.abs(o.lng-s.lng)],l=null,c=te,h=(d,u)=>{if(Math.abs(d[0]-s.lat)>i||Math.abs(d[1]-s.lng)>r)return;let f=e.map.
latLngToContainerPoint(d),y=f.distanceTo(t);y>=c||(c=y,l={...u,p:f})},p=e.doc.nodes.ids.length;for(let d=0;d<p;d+=1)e.here(d)&&h(e.spotOf(d),{ref:`n:${d}`,node:d});
c=Math.min(c,Ln);for(let{at:d,...u}of e.shownPois())h(e.spot(d),{ref:b(u.name),poi:u});return l}showTip({ref:t,node:e,poi:s,p:o}){let{view:i}=this,r=s?[a("b",{text:s.
name}),s.kind??"",s.distance_m===void 0?"":`${s.distance_m.toFixed(1)} m away`]:[a("b",{class:"nv-id",text:ht(i.doc.nodes.ids[e??0])}),...i.nodeFacts(e??0)],l=i.
api.mentions(t);l&&r.push(`in the text ${l===1?"once":F(l,"time","times")}`),this.tip.replaceChildren(...r.filter(Boolean).map(h=>a("div",{},h))),this.tip.hidden=
!1;let c=i.map.getSize();this.tip.style.left=`${Math.min(o.x+16,c.x-this.tip.offsetWidth-8)}px`,this.tip.style.top=`${Math.max(8,Math.min(o.y+14,c.y-this.tip.offsetHeight-
8))}px`}destroy(){this.waiting!==null&&cancelAnimationFrame(this.waiting)}};function C(n,t,{text:e="",title:s="",ref:o,pane:i="nv-signs",raise:r=0}={}){let l=a("div",{class:`nv-sign ${t}`,title:s,data:o?{ref:o}:{}},a("span",{text:e})),c=L.
divIcon({html:l,className:"nv-sign-icon",iconSize:[22,22]});return L.marker(n,{icon:c,pane:i,keyboard:!1,interactive:!1,zIndexOffset:r})}var Mt=class{constructor(){
let t=g("svg",{viewBox:"-16 -16 32 32"},g("circle",{r:13}),g("path",{d:"M0-9 6.5 8 0 4.6-6.5 8z"}));this.arrow=a("div",{class:"nv-agent"}),this.pointed=0,this.arrow.
append(t);let e=L.divIcon({html:this.arrow,className:"nv-agent-icon",iconSize:[30,30]});this.marker=L.marker([0,0],{icon:e,pane:"markerPane",interactive:!1,keyboard:!1,
zIndexOffset:900})}place(t,e,s,o){if(!e){this.marker.remove();return}this.marker.setLatLng(e).addTo(t),this.arrow.classList.toggle("nv-no-heading",s===void 0),this.
arrow.classList.toggle("nv-elsewhere",o),this.pointed+=pt((s??0)-this.pointed),this.arrow.style.setProperty("--nv-heading",`${this.pointed}deg`)}remove(){this.marker.
remove()}};function A(n,t,e){let s=n[t];if(s.path.length)return s.path;if(s.node===void 0)return[];let o=t+1<n.length?n[t+1].node:e;return o===void 0||o===s.node?[s.node]:
[s.node,o]}function D(n,t,e,s){let o=[],i=[],r=e>0?A(n,e-1,t).at(-1):void 0;for(let l=e;l<s;l+=1){let c=new Set(n[l].jumps);A(n,l,t).forEach((h,p)=>{let d=h===r,
u=o.at(-1);(p>0?!c.has(p-1):d)&&u?d||u.push(h):(r!==void 0&&!d&&i.push([r,h]),o.push([h])),r=h})}return{lines:o.filter(l=>l.length>1),leaps:i}}function ee(n){let t=new Map,
e=(s,o)=>{let i=t.get(s);i?i.add(o):t.set(s,new Set([o]))};for(let s=0;s<n.length;s+=2)e(n[s],n[s+1]),e(n[s+1],n[s]);return t}function Ze(n,t,e){let s=new Set(t),
o=new Map,i=new Map;for(let r of n)r.state!=="rejected"?o.set(r,r.state):s.has(r.node)?o.set(r,"way"):i.set(r.node,r),o.has(r)||o.set(r,"branch");for(let r of Tn(
[...i.keys()],e)){let l=r.filter(h=>Ve(h,e).some(p=>s.has(p))),c=new Set(l.length?l:r.slice(0,1));for(let h of r){let p=i.get(h);p&&!c.has(h)&&o.set(p,"beyond")}}
return o}var Ve=(n,t)=>typeof n=="number"?[...t.get(n)??[]]:[];function Tn(n,t){let e=new Set(n),s=[];for(let o of n){if(!e.delete(o))continue;let i=[o];for(let r of i)
for(let l of Ve(r,t))e.delete(l)&&i.push(l);s.push(i)}return s}function Ue(n,t){let e={leaps:$n(n)};if(!t)return e;let s=A(n.doc.steps,n.step-1,n.end);if(t.observation&&n.layers.shows("seen")&&(e.seen=An(n,t.observation)),n.
drawAround(t),n.layers.shows("memory")&&(e.memory=Ge(n,t)),n.layers.shows("candidates")&&Object.assign(e,_n(n,t,s)),Pn(n,s),n.layers.shows("pois"))for(let i of n.
seen())Rn(n,i);let o=t.decision?.legal===!1?n.spotAt(t.decision.target):null;return o&&n.here(t.decision?.target)&&n.add(C(o,"nv-sign-bad",{title:"Illegal decis\
ion",pane:"nv-chosen"}),"step"),e}function $n(n){let{doc:t,step:e,end:s}=n,{color:o}=n.api,i=D(t.steps,s,0,e);for(let r of Q(t.steps,e,t.steps.length)){let{lines:l}=D(
t.steps,s,r.from,r.to),c=v(t,r.skill)??o("agent");n.drawWay(l,{color:c,weight:2,opacity:.75,dashArray:"1 6"},"step","paths")}t.stages.length&&On(n);for(let r of t.
stages.length?[]:Q(t.steps,0,e)){let{lines:l}=D(t.steps,s,r.from,r.to),c=v(t,r.skill)??o("agent"),h=r.back?"7 6":void 0;n.drawWay(l,{color:c,weight:4,lineJoin:"\
round",dashArray:h},"step","paths")}return n.drawWay(i.leaps,{color:o("bad"),weight:2.5,dashArray:"2 7"},"step","paths"),i.leaps.length>0}function On(n){let{doc:t,
step:e,end:s}=n;t.stages.forEach(({first:o,last:i},r)=>{if(o===void 0||i===void 0||o>e)return;let{lines:l}=D(t.steps,s,o-1,Math.min(i,e)),c=n.api.color(N(r));n.
drawWay(l,{color:c,weight:4,lineJoin:"round"},"step","paths")})}function An(n,t){let{color:e}=n.api,s=new Set(t.visible.filter(r=>typeof r=="number"));if(!s.size)
return!1;let o=[];for(let r of s)for(let l of n.near.get(r)??[])r<l&&s.has(l)&&o.push(n.line([r,l]));n.add(L.polyline(o,n.on("step",{color:e("seen"),weight:20,opacity:.34,
smoothFactor:0,lineCap:"round"})),"step");let i=n.on("step",{radius:2,stroke:!1,fillColor:e("seen-ink"),fillOpacity:.9});for(let r of n.line([...s]))n.add(L.circleMarker(
r,i),"step");return!0}function _n(n,t,e){let s=n.candidates(t),o=s.find(l=>l.state==="chosen"),i=Ze(s,[...e,...t.node===void 0?[]:[t.node],...o?[o.node,...o.path??
[]]:[]],n.near),r=new Set;for(let[l,c]of i){let h=n.spotAt(l.node);l.path&&l.path.length>1&&l.state!=="chosen"&&En(n,l),!(!h||!n.here(l.node))&&(r.add(c),Cn(n,l,
c,h))}return{chosen:r.has("chosen"),rejected:r.has("branch"),offered:r.has("offered")}}function En(n,t){let e=t.state==="rejected",s={color:n.api.color(e?"rejec\
ted":"offered"),weight:2,opacity:.85,dashArray:e?"2 4":void 0};n.drawWay([t.path??[]],s,"step","step")}function Cn(n,t,e,s){let{color:o}=n.api,i=[t.state,t.label,
t.reason].filter(Boolean).join(" · ");if(e==="chosen")n.add(C(s,"nv-cand nv-cand-chosen",{title:i,pane:"nv-chosen"}),"step");else if(e==="branch")n.add(C(s,"nv\
-cand nv-cand-rejected",{title:i}),"step");else if(e==="offered"){let r={radius:5,color:o("offered"),weight:2.2,fillColor:o("ground"),fillOpacity:1};n.add(L.circleMarker(
s,n.on("step",r)),"step")}else{let r={radius:2.6,stroke:!1,fillColor:o("rejected"),fillOpacity:.95};n.add(L.circleMarker(s,n.on("step",r)),"step")}}function Pn(n,t){
if(t.length<2)return;let{color:e}=n.api,s=n.doc.steps[n.step-1],o=yt(n.doc.stages,n.step),i=e(o<0?"agent":N(o)),r=o<0?v(n.doc,s?.skill)??i:i,l=s?.walk_back?"9 7":
void 0;n.drawWay([t],{color:e("ground"),weight:9,opacity:.95},"step","move"),n.drawWay([t],{color:r,weight:5.5,dashArray:l},"step","move");let c=n.spotAt(t.at(-1));
!c||!n.here(t.at(-1))||n.add(L.circleMarker(c,n.on("move",{radius:6.5,color:r,weight:3,fillColor:e("ground"),fillOpacity:1})),"step")}function Rn(n,t){if(!n.placeHere(
t.at))return;let e=n.spot(t.at),s=n.spotAt(t.node);s&&!t.approximate&&n.add(L.polyline([s,e],n.on("step",{color:n.api.color("landmark"),weight:1.4,opacity:.9,dashArray:"\
1 4"})),"step");let o=[t.name,t.position??t.direction,t.distance_m===void 0?null:k(t.distance_m),t.approximate?"shown at its node":null],i=t.letter?"nv-sign-let\
ter":"nv-sign-object";n.add(C(e,i,{text:t.letter??"",title:o.filter(Boolean).join(" · "),ref:b(t.name)}),"step")}var Nn=[["ground",210],["paths",410],["step",420],["light",430],["move",580]],zn=["ground","paths","ends","step","light"],Bn={"nv-signs":560,"nv-chosen":610,"nv\
-labels":650},In=1.5,jn=.4,V=class{constructor(t,e,s,o){this.api=s,this.box=t,this.doc=e,this.step=0,this.gone=!1,this.moved=!1,this.lit=[],this.canvas=a("div",
{class:"nv-leaflet"}),this.plan=a("div",{class:"nv-plan-view"},this.canvas),t.append(this.plan),this.credit=a("div",{class:"nv-credit"}),this.legend=new bt,this.
layers=new vt(()=>this.onLayers()),this.map=L.map(this.canvas,{zoomControl:!1,attributionControl:!1,keyboard:!1,preferCanvas:!0,boxZoom:!1,wheelPxPerZoomLevel:110,
...o}),this.sheets=this.makeSheets(),this.groups=Object.fromEntries(zn.map(i=>[i,L.layerGroup().addTo(this.map)])),this.agent=new Mt,this.tools=a("div",{class:"\
nv-tools"},this.makeTools()),this.plan.append(this.credit,this.legend.box,this.tools,this.layers.list),L.control.scale({imperial:!1,position:"bottomright",maxWidth:90}).
addTo(this.map),this.near=ee(e.links),this.labels=new wt(this),this.pointer=new St(this),this.map.setView(this.spotAt(0)??[0,0],1,{animate:!1}),this.listen()}makeSheets(){
let t={};for(let[e,s]of Nn){let o=this.map.createPane(`nv-${e}`);o.style.zIndex=String(s),o.style.pointerEvents="none",t[e]=L.canvas({pane:`nv-${e}`,padding:jn});
let i=t[e],r=i._redraw;i._redraw=()=>{i._ctx&&r.call(i)}}for(let[e,s]of Object.entries(Bn))this.map.createPane(e).style.zIndex=String(s);return t}listen(){this.
map.on("dragstart",()=>this.take());for(let t of["wheel","dblclick"])this.canvas.addEventListener(t,()=>this.take(),{passive:!0});this.map.on("zoomend",()=>this.
restyle()),this.map.on("moveend",()=>this.labels.soon()),this.map.on("zoomend",()=>this.labels.tags())}take(){this.moved=!0}spot(t){return[t[0],t[1]]}spotOf(t){
return[this.doc.nodes.at[2*t],this.doc.nodes.at[2*t+1]]}spotAt(t){return typeof t=="number"&&t>=0&&t<this.doc.nodes.ids.length?this.spotOf(t):null}line(t){return t.
map(e=>this.spotAt(e)).filter(e=>e!==null)}at(t){return this.spotAt(t)}here(t){return!0}placeHere(t){return!0}candidates(t){return t.observation?.candidates??[]}get goal(){
let{episode:t,reference:e}=this.doc;return t.goal??e.at(-1)}get start(){let{episode:t,reference:e}=this.doc;return typeof t.start=="number"?t.start:e[0]}get end(){
return this.doc.end?.node}get standing(){return this.step===0?this.doc.episode.start:this.doc.steps[this.step-1]?.node}get walked(){return this.doc.steps.flatMap(
(t,e)=>A(this.doc.steps,e,this.end))}shownPois(){return[...this.layers.shows("pois")?this.doc.pois:[],...this.seen()]}seen(){return(this.doc.steps[this.step-1]?.
observation?.pois??[]).flatMap(e=>e.at?[{...e,at:e.at}]:[])}wanted(){let{doc:t}=this,e=(t.compare?.steps??[]).flatMap(r=>[r.node,...r.path]),s=t.episode.tasks.flatMap(
r=>r.goals),o=[...t.reference,...this.walked,this.start,this.goal,...s,...e],i=this.line(o);return i.length?i:this.line(t.nodes.ids.map((r,l)=>l))}furniture(){return{
tools:this.boxOf(this.tools),legend:this.legend.room(this.allEntries()),credit:this.boxOf(this.credit)}}boxOf(t){let e=this.plan.getBoundingClientRect(),s=t?.getBoundingClientRect();
if(!(!s?.height||s.left>=e.right))return[s.left-e.left,s.top-e.top,s.right-e.left,s.bottom-e.top]}drawAround(t){}fit(t=!0){this.moved=!1;let e=this.wanted(),s=this.
map.getSize();if(!e.length||!s.x||!s.y)return;let[o,i,r,l]=Ne(s,this.furniture()),c=L.latLngBounds(e),h=this.map.getBoundsZoom(c,!1,L.point(o+r,i+l)),p=this.map.
getMaxZoom();this.map.options.minZoom=Math.min(h,this.closest())-In,this.map.fitBounds(c,{paddingTopLeft:[o,i],paddingBottomRight:[r,l],maxZoom:Math.min(this.closest(),
p),animate:t})}closest(){return 18.5}resize(){this.map.invalidateSize({animate:!1,pan:!1}),this.labels.forget(),this.moved?this.labels.tags():this.fit(!1)}draw(){
for(let t of Object.values(this.groups))t.clearLayers();this.drawGround(),this.drawPaths(),this.drawEnds(),this.drawCredit(),this.layers.offer(this.there()),this.
restyle(),this.paint()}drawGround(){}restyle(){}drawCredit(){this.credit.textContent=this.doc.graph.attribution??""}add(t,e){return this.groups[e].addLayer(t),t}on(t,e){
return{renderer:this.sheets[t],interactive:!1,smoothFactor:.4,...e}}drawWay(t,e,s,o){let i=[[],[]];for(let l of t){let c=-1;for(let h=0;h+1<l.length;h+=1){let[p,
d]=[this.spotAt(l[h]),this.spotAt(l[h+1])];if(!p||!d){c=-1;continue}let u=this.here(l[h])||this.here(l[h+1])?0:1;u===c?i[u][i[u].length-1].push(d):i[u].push([p,
d]),c=u}}i[0].length&&this.add(L.polyline(i[0],this.on(o,e)),s);let r=.16*(e.opacity??1);i[1].length&&this.add(L.polyline(i[1],this.on(o,{...e,opacity:r})),s)}drawPaths(){
let{color:t}=this.api,{doc:e}=this;this.layers.shows("reference")&&this.drawWay([e.reference],{color:t("reference"),weight:8,opacity:.95,dashArray:"9 7",lineCap:"\
butt"},"paths","paths");let s=this.spotAt(this.goal);if(this.drawTargets(),s&&this.here(this.goal)&&!e.episode.tasks.length){let o={color:t("reference"),weight:1.6,
opacity:.9,dashArray:"3 4",fillOpacity:.09};this.add(L.circle(s,{...this.on("paths",o),radius:e.episode.success_radius_m}),"paths")}e.compare&&this.layers.shows(
"other")&&this.drawCompared(e.compare)}mainGoal(t){let e=new Set(this.doc.reference);return t.goals.find(s=>e.has(s))??t.goals[0]}drawTargets(){let{episode:t,stages:e}=this.
doc;t.tasks.forEach((s,o)=>{let i=this.api.color(e.length?N(o):"reference"),r=this.mainGoal(s);for(let l of s.goals){let c=this.spotAt(l);if(!c||!this.here(l))continue;
let h={color:i,weight:1.8,dashArray:"4 3",fillColor:i,fillOpacity:.06,stroke:l===r};this.add(L.circle(c,{...this.on("paths",h),radius:t.success_radius_m}),"path\
s")}})}drawCompared(t){let{lines:e}=D(t.steps,t.end,0,t.steps.length);this.drawWay(e,{color:this.api.color("other"),weight:4,dashArray:"12 5 2 5",lineCap:"butt"},
"paths","paths");let s=e.at(-1)?.at(-1),o=this.spotAt(s);o&&this.here(s)&&this.add(C(o,"nv-sign-stop nv-sign-other",{title:`Stop of ${t.label}`,pane:"markerPane"}),
"ends")}drawEnds(){let{episode:t}=this.doc;this.startSign=this.endSign(this.start,"nv-sign-start","Start",-200),t.tasks.length||this.endSign(this.goal,"nv-sign-\
goal","Goal",-100),t.tasks.forEach((e,s)=>{let o=this.mainGoal(e);o!==void 0&&this.targetSign(o,s,e)}),this.stopNode=this.doc.end?this.walked.at(-1):void 0,this.
stopSign=this.endSign(this.stopNode,"nv-sign-stop","Stop",0)}endSign(t,e,s,o){let i=this.spotAt(t);return i&&this.here(t)?this.add(C(i,e,{ref:s,pane:"markerPane",
raise:o}),"ends"):null}targetSign(t,e,s){let o=this.spotAt(t);if(!o||!this.here(t))return;let i=`Target ${e+1}: ${s.target??s.description}`;this.add(C(o,`nv-sig\
n-target nv-sign-target-${e%Yt+1}`,{text:String(e+1),title:i,pane:"markerPane",raise:-50}),"ends").getElement()?.setAttribute("data-target",String(e+1))}there(){
let{doc:t}=this,e=t.steps.map(o=>o.observation).filter(o=>o!==void 0);return[["reference",t.reference.length>0],["other",!!t.compare],["candidates",e.some(o=>o.
candidates.length>0)],["seen",e.some(o=>o.visible.length>0)],["memory",De(t)],["pois",t.pois.length>0]].filter(([,o])=>o).map(([o])=>o)}allEntries(){let t=this.
there(),e=o=>t.includes(o)&&this.layers.shows(o),s=new Set(this.doc.steps.flatMap(o=>(o.observation?.candidates??[]).map(i=>i.state)));return this.entries({other:e(
"other"),seen:e("seen"),leaps:this.doc.steps.some(o=>o.jumps?.length),chosen:e("candidates")&&s.has("chosen"),rejected:e("candidates")&&s.has("rejected"),offered:e(
"candidates")&&s.has("offered"),memory:e("memory")?He(this.doc):void 0})}entries({other:t,seen:e,leaps:s,chosen:o,rejected:i,offered:r,memory:l}){let{doc:c}=this;
return[c.reference.length>0&&this.layers.shows("reference")&&["reference","reference path"],...this.walkEntries(),t&&c.compare&&["other",c.compare.label],e&&["s\
een","visible area"],o&&["chosen","chosen"],i&&["rejected","not taken"],r&&["offered",this.offeredWord()],...l?We(l):[],s&&["jump","jump"]]}walkEntries(){let{doc:t}=this;
if(!t.steps.length)return[];let e=ft(t.steps);return!t.skills||!e.length?[["agent","agent"]]:[...e.map(s=>["skill",t.skills?.[s].short??"",v(t,s)]),t.steps.some(
s=>s.walk_back)&&["back","back to the best stop"]]}offeredWord(){return"offered"}onLayers(){this.draw(),this.moved||this.fit(!1)}showStep(t){this.step=t,this.paint()}paint(){
let{doc:t,step:e}=this;this.groups.step.clearLayers(),this.groups.light.clearLayers();let s=Ue(this,t.steps[e-1]);this.legend.show(this.entries({...s,other:!!t.
compare&&this.layers.shows("other")})),this.placeAgent();let o=e<t.steps.length;this.stopSign?.getElement()?.classList.toggle("nv-later",o),this.stopSign?.setZIndexOffset(
o?-100:950),this.startSign?.getElement()?.classList.toggle("nv-under",this.standing===this.start),this.follow(t.steps[e-1]),this.lit.length&&this.pointer.view.highlight(
this.lit),this.labels.tags(),this.labels.soon()}placeAgent(){let t=this.standing;this.agent.place(this.map,this.spotAt(t),this.heading(),!this.here(t))}heading(){
let{doc:t,step:e}=this;return e===0?t.episode.start_heading_deg:t.steps[e-1]?.heading_deg}follow(t){let e=this.line(t?A(this.doc.steps,this.step-1,this.end):[this.
doc.episode.start]);if(!e.length||!this.map.getSize().x)return;let s=L.latLngBounds(e);if(this.map.getBounds().pad(-.02).contains(s))return;this.map.getBoundsZoom(
s.pad(.2))>=this.map.getZoom()?this.map.panTo(s.getCenter(),{duration:.25}):this.map.fitBounds(s.pad(.2),{maxZoom:this.map.getZoom()})}tags(){return[...this.endTags(),
...this.seenTags()]}names(){return[]}nameRoom(){return this.box.closest(".nv-present")?26:40}endTags(){let t=[[this.start,"Start","nv-tag-end"],[this.doc.episode.
tasks.length?void 0:this.goal,"Goal","nv-tag-goal"]];for(let e of this.doc.episode.tasks)t.push([this.mainGoal(e),e.target??"Target","nv-tag-goal"]);return this.
step===this.doc.steps.length&&t.push([this.stopNode,"Stop","nv-tag-stop"]),t.flatMap(([e,s,o])=>{let i=this.spotAt(e),r=e===this.standing?20:13;return i&&this.here(
e)?[{spot:i,text:s,look:o,gap:r,weight:650,size:.93,must:!0}]:[]})}seenTags(){if(!this.layers.shows("pois"))return[];let t=this.spotAt(this.standing);return this.
seen().filter(e=>this.placeHere(e.at)).map(e=>{let s=this.spot(e.at);return{spot:s,text:e.name,look:"nv-tag-seen",gap:13,weight:600,size:.9,left:t!==null&&s[1]<
t[1]}})}highlight(t){this.lit=t,this.groups.light.clearLayers();for(let e of this.box.querySelectorAll(".nv-sign.nv-lit"))e.classList.remove("nv-lit");for(let e of t){
for(let s of this.api.resolve(e,this.step).at)this.ring(this.spot(s),this.refHere(e,s));for(let s of this.box.querySelectorAll(`.nv-sign[data-ref="${CSS.escape(
e)}"]`))s.classList.add("nv-lit")}}refHere(t,e){return!0}ring(t,e){let{color:s}=this.api,o={radius:15,color:s("lit"),weight:4,fillColor:s("lit"),fillOpacity:e?.25:
.1,dashArray:e?void 0:"4 4"};this.add(L.circleMarker(t,this.on("light",o)),"light"),e&&this.add(L.circleMarker(t,this.on("light",{radius:5,color:s("ground"),weight:1.5,
fillColor:s("lit"),fillOpacity:1})),"light")}panTo(t){let{at:e}=this.api.resolve(t,this.step);if(!e.length)return;this.take();let s=L.latLngBounds(e.map(i=>this.
spot(i))),o=Math.max(this.map.getZoom(),this.nearZoom());e.length>1?this.map.fitBounds(s.pad(.4),{maxZoom:o}):this.map.setView(s.getCenter(),o,{animate:!0}),this.
highlight([t])}nearZoom(){return 17.5}nodeFacts(t){return[]}makeTools(){let t=e=>()=>{this.take(),e>0?this.map.zoomIn():this.map.zoomOut()};return[x("closer","C\
loser",t(1),{tool:"in"}),x("farther","Farther",t(-1),{tool:"out"}),x("whole","The whole route",()=>this.fit(),{tool:"fit"}),this.layers.button]}update(t){let e=this.
doc,s=t.episode.id!==e.episode.id||t.world!==e.world;this.doc=t,this.near=ee(t.links),this.adopt(),this.step=Math.min(this.step,t.steps.length),!s&&t.nodes.ids.
length===e.nodes.ids.length&&t.streets.length===e.streets.length?this.drawWays():this.draw(),(s||!this.moved)&&this.fit(!1)}adopt(){}drawWays(){this.groups.paths.
clearLayers(),this.groups.ends.clearLayers(),this.drawPaths(),this.drawEnds(),this.layers.offer(this.there())}setTheme(){this.draw()}destroy(){this.gone=!0,this.
labels.destroy(),this.pointer.destroy(),this.map.remove()}};var Fn=560,Lt=2.5,Dn=14,Hn=22,Wn=.6,qe={floors:[{name:"Floor 1",level_m:0}],floor_of:[],stairs:[],rooms:[],doors:[],outlines:[]},Tt=class extends V{constructor(t,e,s){
super(t,e,s,{crs:L.CRS.Simple,zoomSnap:0,zoomDelta:.5,minZoom:-5,maxZoom:8.6}),this.plan.classList.add("nv-floorplan"),this.solid=a("div",{class:"nv-scene"}),t.
classList.add("nv-indoor"),this.floorBox=a("div",{class:"nv-floors",role:"group","aria-label":"Floors"}),this.plan.append(this.floorBox),t.append(this.solid,this.
tools,this.layers.list),this.scene=null,this.floorButtons=[],this.house=qe,this.stairs=new Set,this.ways=[],this.floor=0,this.adopt(),this.floor=this.floorOf(e.
episode.start)??0,this.markFloor(),this.mode="plan",this.setMode(Z.possible(this.api)&&t.clientWidth>Fn?"both":"plan"),this.draw(),this.fit(!1)}adopt(){this.house=
this.doc.indoor??qe,this.stairs=new Set(this.house.stairs),this.makeFloors()}spot(t){return[t[1],t[0]]}spotOf(t){let{at:e}=this.doc.nodes;return[e[3*t+1],e[3*t]]}metresOf(t){
return this.doc.nodes.at.slice(3*t,3*t+3)}floorOf(t){return typeof t=="number"?this.house.floor_of[t]??0:null}floorAt(t){let e=this.house.floors.map(({level_m:s})=>{
let o=t[2]-s;return o>-Wn?o:100-o});return e.indexOf(Math.min(...e))}here(t){return this.floorOf(t)===this.floor}placeHere(t){return this.floorAt(t)===this.floor}refHere(t,e){
return t.startsWith("n:")?this.here(Number(t.slice(2))):this.placeHere(e)}get scale(){return 2**this.map.getZoom()}makeFloors(){let{floors:t}=this.house;this.floorBox.
hidden=t.length<2,this.floorButtons=t.map(({name:e,level_m:s},o)=>{let i={mousedown:T,click:()=>this.setFloor(o)};return a("button",{type:"button",class:"nv-flo\
or",data:{floor:o},text:e,title:`${e}, ${k(s)}`,on:i})}),this.floorBox.replaceChildren(...[...this.floorButtons].reverse()),this.markFloor()}setFloor(t){t!==null&&
(this.floor=Math.max(0,Math.min(this.house.floors.length-1,t)),this.markFloor(),this.draw())}markFloor(){this.plan.dataset.floor=String(this.floor);for(let[t,e]of this.
floorButtons.entries())e.setAttribute("aria-pressed",String(t===this.floor))}setMode(t){this.mode=t,this.box.dataset.mode=t;for(let[e,s]of Object.entries(this.modeButtons??
{}))s.classList.toggle("nv-on",e===t);t==="plan"||this.scene||(this.scene=new Z(this.solid,this.doc,this.api,e=>this.pointAt(e)),this.scene.start(this.step))}makeTools(){
let t=(e,s)=>x(e,s,()=>{this.setMode(e),this.resize()},{tool:e});return this.modeButtons={plan:t("plan","Floor plan"),both:t("both","Plan and 3-D scene"),scene:t(
"scene","3-D scene")},[...super.makeTools(),...Z.possible(this.api)?Object.values(this.modeButtons):[]]}wanted(){let t=super.wanted(),e=this.house.rooms.flatMap(
({box_m:[p,d,u,f]})=>[[d,p],[f,u]]),s=L.latLngBounds([...this.line(this.doc.nodes.ids.map((p,d)=>d)),...e]),o=L.latLngBounds(t),i=(p,d,u)=>Math.max(d,Math.min(u,
p)),[r,l,c,h]=[s.getSouth(),s.getWest(),s.getNorth(),s.getEast()];return[[i(o.getSouth()-Lt,r,c),i(o.getWest()-Lt,l,h)],[i(o.getNorth()+Lt,r,c),i(o.getEast()+Lt,
l,h)]]}furniture(){return{...super.furniture(),floors:this.boxOf(this.floorBox)}}closest(){return Math.log2(110)}nearZoom(){return Math.log2(45)}resize(){super.
resize(),this.scene?.resize()}drawGround(){this.scaled=ye(this)}restyle(){for(let{layer:t,width_m:e,least:s}of this.scaled??[])t.setStyle({weight:Math.max(s,e*this.
scale)})}drawAround(t){let e=this.heading();typeof t.node=="number"&&this.here(t.node)&&e!==void 0&&xe(t)&&ve(this,t.node,e)}showStep(t){this.step=t,this.plan.dataset.
node=String(this.standing??""),this.scene?.showStep(t);let e=this.floorOf(this.standing);e!==null&&e!==this.floor?this.setFloor(e):this.paint()}seen(){let t=this.
doc.steps[this.step-1];return t?be(this,t,this.heading()):[]}candidates(t){let e=super.candidates(t);if(e.length||typeof t.node!="number")return e;let s=this.metresOf(
t.node),o=this.heading();return[...this.near.get(t.node)??[]].map(i=>{let r=this.metresOf(i),l=o===void 0?{}:{angle_deg:pt(fe(s,r)-o)},c=i===t.decision?.target?
"chosen":"offered";return{node:i,state:c,distance_m:Math.hypot(...r.map((h,p)=>h-s[p])),...l}})}offeredWord(){return"navigable"}tags(){let t=this.standing,e=this.
spotAt(t),s=this.floorOf(t),i=e&&s!==null&&s!==this.floor?[{spot:e,text:`agent: ${this.house.floors[s].name}`,look:"nv-tag-stop",gap:14,weight:650,must:!0}]:[];
return[...this.roomTags(),...this.endTags(),...i,...this.candidateTags(),...this.seenTags(),...this.stairTags()]}roomTags(){return this.house.rooms.filter(t=>t.
floor===this.floor&&t.name).map(({name:t,box_m:[e,s,o,i]})=>({spot:[(s+i)/2,(e+o)/2],text:t,look:"nv-tag-room",weight:650,centred:!0,within:[[i,e],[s,o]]}))}candidateTags(){
let t=this.doc.steps[this.step-1];return!t||this.scale<Dn||!this.layers.shows("candidates")?[]:this.candidates(t).flatMap(e=>{let s=this.spotAt(e.node),o=this.angleWords(
e);return s&&o&&this.here(e.node)?[{spot:s,text:o,look:`nv-tag-${e.state}`,gap:10,weight:600}]:[]})}seenTags(){return super.seenTags().map(t=>({...t,text:t.text.
replace(/_\d+$/,"")}))}stairTags(){return this.ways.map(({spot:t,up:e,floor:s})=>({spot:t,text:`${e?"↑":"↓"} ${this.house.floors[s].name}`,look:"nv-tag-name",
weight:600,gap:6}))}*names(){if(!(this.scale<Hn||!this.layers.shows("pois")))for(let t of this.doc.pois)this.placeHere(t.at)&&(yield{spot:this.spot(t.at),text:t.
name,look:"nv-tag-name",gap:5,size:.78,within:this.roomAround(t.at)})}roomAround([t,e]){let s=this.house.rooms.find(({floor:c,box_m:[h,p,d,u]})=>c===this.floor&&
t>=h&&t<=d&&e>=p&&e<=u);if(!s)return;let[o,i,r,l]=s.box_m;return[[l,o],[i,r]]}angleWords(t){let{angle_deg:e,distance_m:s}=t;return[e===void 0?null:Math.abs(e)<.5?
"ahead":`${e<0?"left":"right"} ${Math.abs(e).toFixed(0)}°`,s===void 0?null:k(s),typeof t.node=="number"&&!this.here(t.node)?"other floor":null].filter(Boolean).
join(", ")}highlight(t){super.highlight(t),this.plan.dataset.lit=t.join(" "),this.scene?.highlight(t.flatMap(e=>this.api.resolve(e,this.step).at))}panTo(t){let[
e]=this.api.resolve(t,this.step).at;if(!e)return;let s=t.startsWith("n:")?this.floorOf(Number(t.slice(2))):this.floorAt(e);s!==this.floor&&this.setFloor(s),super.
panTo(t)}pointAt(t){this.api.hover(t?[t]:[]),this.highlight(t?[t]:[])}nodeFacts(t){let e=this.doc.steps[this.step-1],s=e?this.candidates(e).find(i=>i.node===t):
void 0,o=this.house.floors[this.floorOf(t)??0];return[this.stairs.has(t)?"on the stairs":o?.name??"",s?this.angleWords(s):""]}update(t){super.update(t),this.scene?.
update(t)}setTheme(){super.setTheme(),this.scene?.redraw()}destroy(){this.scene?.destroy(),super.destroy()}};var Gn="© OpenStreetMap contributors",Zn="https://tile.openstreetmap.org/{z}/{x}/{y}.png",Vn=15.5,Un=16.5,qn=16.25,Kn=18,$t=class extends V{constructor(t,e,s){
super(t,e,s,{zoomSnap:.25,zoomDelta:.5,maxZoom:20.5,minZoom:1}),this.close=!1,this.tiles=null,this.draw(),this.fit(!1)}drawGround(){let{color:t}=this.api,e=i=>this.
on("ground",{smoothFactor:.6,...i});for(let i of this.doc.backdrop){let r=i.rings.map(Ke),l=t(`area-${i.kind}`)||t("area");i.line?this.add(L.polyline(r,e({color:l,
weight:2})),"ground"):this.add(L.polygon(r,e({color:l,weight:.6,fillColor:l,fillOpacity:1})),"ground")}let s=this.doc.streets.map(Ke);this.casing=this.add(L.polyline(
s,e({color:t("street-edge"),lineCap:"round"})),"ground"),this.streets=this.add(L.polyline(s,e({color:t("street"),lineCap:"round"})),"ground");let o=e({radius:1.8,
stroke:!1,fillColor:t("node"),fillOpacity:1});this.crossings=this.line(this.doc.nodes.crossings).map(i=>this.add(L.circleMarker(i,o),"ground")),this.dots=this.doc.
pois.map(i=>{let r={radius:3,weight:1,color:t("ground"),fillColor:t(i.light?"light":"poi"),fillOpacity:1};return this.add(L.circleMarker(this.spot(i.at),e(r)),"\
ground")})}restyle(){let t=this.map.getZoom(),e=Math.max(1.6,Math.min(16,1.5*1.75**(t-14.4)));this.casing?.setStyle({weight:e+1.6}),this.streets?.setStyle({weight:e});
for(let o of this.crossings??[])o.setStyle({fillOpacity:t>=Un?1:0});let s=t>=Vn&&this.layers.shows("pois")?1:0;this.dots?.forEach((o,i)=>{let r=(this.doc.pois[i].
light?2:3)+Math.max(0,t-17);o.setStyle({fillOpacity:s,opacity:s}).setRadius(r)})}*names(){let t=this.map.getZoom();if(t<qn||!this.layers.shows("pois"))return;this.
labels.keepFree(this.doc.pois.map(s=>this.spot(s.at)));let e=new Set(this.seen().map(s=>b(s.name)));for(let s of this.doc.pois)s.light||!s.kind&&t<Kn||e.has(b(s.
name))||(yield{spot:this.spot(s.at),text:s.name,look:"nv-tag-name",gap:6,size:.8})}heading(){return super.heading()??this.bearing()}bearing(){if(this.step===0)return;
let[t,e]=this.line(A(this.doc.steps,this.step-1,this.end));if(!(!t||!e||t[0]===e[0]&&t[1]===e[1]))return Math.atan2((e[1]-t[1])*Math.cos(t[0]*Math.PI/180),e[0]-
t[0])*180/Math.PI}follow(t){if(!this.close||!t){super.follow(t);return}let e=this.line([...A(this.doc.steps,this.step-1,this.end),...t.observation?.visible??[]]);
e.length&&this.map.fitBounds(L.latLngBounds(e).pad(.15),{padding:[40,40],maxZoom:18.5,duration:.3})}nodeFacts(t){let e=new Set(this.seen().filter(s=>s.node===t).
map(s=>s.name));return[this.doc.nodes.crossings.includes(t)?"intersection":"street node",e.size?`landmarks here: ${[...e].join(", ")}`:""]}makeTools(){return this.
closeButton=x("close","Stay close to the agent",()=>this.toggleClose(),{tool:"close"}),this.tileButton=x("tiles","Map tiles from openstreetmap.org (needs the ne\
twork)",()=>this.toggleTiles(),{tool:"tiles"}),[...super.makeTools(),this.closeButton,this.tileButton]}toggleClose(){if(this.close=!this.close,this.closeButton?.
classList.toggle("nv-on",this.close),!this.close){this.fit();return}this.take(),this.follow(this.doc.steps[this.step-1])}toggleTiles(){this.tiles?(this.tiles.remove(),
this.tiles=null):this.tiles=L.tileLayer(Zn,{maxNativeZoom:19,maxZoom:21,opacity:.85}).addTo(this.map),this.tileButton?.classList.toggle("nv-on",this.tiles!==null),
this.box.classList.toggle("nv-with-tiles",this.tiles!==null),this.drawCredit()}drawCredit(){let t=[this.doc.graph.attribution,this.tiles?Gn:null].filter(Boolean);
this.credit.textContent=[...new Set(t)].join(" · ")}};function Ke(n){let t=[];for(let e=0;e<n.length;e+=2)t.push([n[e],n[e+1]]);return t}var U=3e4,Xn=14;function $(n,t){let e=t.startsWith("n:")&&n.length>Xn,s={class:e?"nv-ref nv-id nv-cut":"nv-ref",text:n,data:{ref:t},tabindex:-1};return a("span",
e?{...s,title:n}:s)}function se(n,t,e){let s=a("button",{type:"button",class:"nv-more",text:`Show ${w(t)} more characters`,on:{click:()=>s.replaceWith(e())}});return n.
append(" … ",s),n}function m(n,t){let e=document.createDocumentFragment();for(let s of n.pieces(t.slice(0,U)))e.append(s.ref?$(s.text,s.ref):s.text);return t.
length>U&&se(e,t.length-U,()=>m(n,t.slice(U))),e}function Ot(n,t){if(!t)return;let e=t.offsetTop-n.offsetTop,s=e+t.offsetHeight;e<n.scrollTop?n.scrollTop=e:s>n.
scrollTop+n.clientHeight&&(n.scrollTop=s-n.clientHeight)}var Xe={entries:8,chars:120};function Je(n){try{return{value:JSON.parse(n)}}catch{return null}}function H(n,t,e,s="$",o=0){if(n===null||typeof n!="object")return Qe(
n,t);let i=Array.isArray(n),r=i?n.map((u,f)=>[String(f),u]):Object.entries(n);if(!r.length)return a("span",{class:"nv-j-mute",text:i?"[]":"{}"});if(Jn(n,r))return Yn(
i,r,t);let l=e.get(s)??o<2,c=r.slice(0,4).map(([u])=>u),h=a("div",{class:"nv-j-body"}),p=()=>{if(!h.childElementCount)for(let[u,f]of r){let y=`${s}.${i?"*":u}`;
h.append(a("div",{class:"nv-j-row"},Ye(u,t),H(f,t,e,y,o+1)))}};l&&p();let d=a("summary",{class:"nv-j-mute",text:i?`${r.length} items`:c.join(", ")});return at({
class:"nv-j"},d,h,l,u=>{e.set(s,u),u&&p()})}function Ye(n,t){let e=t.letter(n)??t.tokens.get(n);return a("span",{class:"nv-j-key"},e?$(n,e):n)}var Jn=(n,t)=>t.length<=
Xe.entries&&t.every(([,e])=>e===null||typeof e!="object")&&JSON.stringify(n).length<=Xe.chars;function Yn(n,t,e){let s=a("span",{class:"nv-j-short"});return t.forEach(
([o,i],r)=>{r&&s.append("  "),n||s.append(Ye(o,e)," "),s.append(Qe(i,e))}),s}function Qe(n,t){if(n==="")return a("span",{class:"nv-j-mute",text:'""'});if(typeof n!=
"string")return a("span",{class:"nv-j-num",text:String(n)});let e=t.letter(n)??t.tokens.get(n);return a("span",{class:"nv-j-str"},e?$(n,e):m(t,n))}function ts({doc:n,step:t,go:e}){if(!n.skills)return null;let s=n.steps.map((i,r)=>{let l=i.skill===void 0?"no skill":n.skills?.[i.skill]?.name;return a("button",
{type:"button",class:r+1===t?"nv-skill-block nv-current":"nv-skill-block",title:`Step ${r+1}: ${l}`,"aria-label":`Step ${r+1}: ${l}`,style:{"background-color":v(
n,i.skill)??"transparent"},data:{step:r+1},on:{click:()=>e(r+1)}})}),o=ft(n.steps).map(i=>a("span",{class:"nv-chip"},a("i",{class:"nv-swatch",style:{"background\
-color":v(n,i)??"transparent"}}),n.skills?.[i]?.name??""));return a("div",{},a("div",{class:"nv-skill-strip"},s),a("div",{class:"nv-chips"},o))}function ss(n,t){let{linker:e,doc:s}=t,o=n.items??[],i=o.map(p=>es(p.value)).filter(p=>p!==null),r=Math.max(...i,0),l=Math.min(...i,0),c=r-l||1,h=a("div",{class:"\
nv-bars"},o.map(p=>{let d=es(p.value),u=Te(s,p.skill),f=d===null?null:{left:`${(Math.min(d,0)-l)/c*100}%`,width:`${Math.abs(d)/c*100}%`};return f&&u&&(f["backgr\
ound-color"]=u),a("div",{class:p.chosen?"nv-bar-row nv-chosen":"nv-bar-row"},a("span",{class:"nv-bar-label"},m(e,String(p.label??""))),a("span",{class:"nv-bar-t\
rack"},f?a("span",{class:"nv-bar",style:f}):null),a("span",{class:"nv-bar-value",text:d===null?"–":j(d)}),p.note?a("span",{class:"nv-bar-note"},m(e,String(p.note))):
null)}));return a("div",{},n.hint?a("p",{class:"nv-hint"},m(e,String(n.hint))):null,h,n.note?a("p",{class:"nv-mute"},m(e,String(n.note))):null,n.ran?ts(t):null)}
function es(n){let t=n==null?Number.NaN:Number(n);return Number.isFinite(t)?t:null}function At(n,t){return n==null?"–":Qn(n)?to(n,t):typeof n=="object"?H(n,t,new Map):m(t,String(n))}function Qn(n){return typeof n=="object"&&n!==null&&typeof n.
mark?.text=="string"}function to({mark:n,wrong:t},e){let{text:s,start:o,end:i}=n;if(typeof o!="number"||typeof i!="number")return a("span",{class:t?"nv-wrong":""},
m(e,s));let r=[s.slice(0,o),s.slice(o,i),s.slice(i)].map(l=>m(e,l));return a("span",{},r[0],a("mark",{class:"nv-marked"},r[1]),r[2])}function ne(n,t,e){if(!Array.
isArray(t)||!t.length)return null;let s=t.map(o=>typeof o=="object"&&o?Object.values(o).join(" · "):String(o));return a("div",{class:"nv-chips",title:n},s.map(
o=>a("span",{class:"nv-chip"},m(e,o))))}function ns(n,{linker:t}){let e=n.directions??[];return a("div",{class:"nv-directions"},e.map(s=>a("section",{},a("h5",{text:String(s.label??"")}),s.text?a("p",
{},m(t,String(s.text))):null,ne("objects",s.objects,t),ne("candidates",s.candidates,t))))}var _={width:320,height:220,margin:20,labels:60};function os(n,t){let e=new Map(t.nodes.ids.map((d,u)=>[d,u])),s=n.map((d,u)=>eo(d)??so(e.get(d.id),t)??no(u,n.length)),
o=s.map(d=>d[0]),i=s.map(d=>d[1]),[r,l]=[Math.min(...o),Math.min(...i)],c=_.width-_.margin-_.labels,h=_.height-2*_.margin,p=Math.min(c/(Math.max(...o)-r||1),h/(Math.
max(...i)-l||1));return new Map(n.map((d,u)=>[d.id,[_.margin+(s[u][0]-r)*p,_.margin+(s[u][1]-l)*p]]))}function eo({x:n,y:t}){return typeof n=="number"&&typeof t==
"number"&&Number.isFinite(n)&&Number.isFinite(t)?[n,-t]:null}function so(n,t){if(n===void 0)return null;let e=t.frame==="geo"?2:3,[s,o]=t.nodes.at.slice(n*e,n*e+
2);return t.frame==="geo"?[o*Math.cos(s*Math.PI/180),-s]:[s,-o]}function no(n,t){let e=2*Math.PI*n/t;return[Math.sin(e),-Math.cos(e)]}function is(n,{linker:t,doc:e}){let s=(n.nodes??[]).map(io),o=os(s,e),i=g("svg",{viewBox:`0 0 ${_.width} ${_.height}`,class:"nv-graph",role:"img"});for(let h of n.
links??[]){let[p,d]=Array.isArray(h)?h:[h.source??h.from,h.target??h.to],u=o.get(String(p)),f=o.get(String(d));u&&f&&i.append(g("line",{x1:u[0],y1:u[1],x2:f[0],
y2:f[1]}))}let r=(n.way_back??[]).map(h=>o.get(String(h))).filter(h=>h!==void 0);r.length>1&&i.append(g("polyline",{class:"nv-walk-back",points:r.map(h=>h.join(
",")).join(" ")}));for(let h of s)i.append(ro(h,o.get(h.id)??[0,0],t));let l=oo(Array.isArray(n.states)?n.states:[],s),c=n.note?a("p",{class:"nv-panel-note",text:String(
n.note)}):null;return l||c?a("div",{},c,i,l):i}function oo(n,t){let e=n.filter(s=>t.some(o=>o.state===s));return e.length?a("div",{class:"nv-panel-key"},e.map(s=>a(
"span",{},a("i",{class:`nv-key nv-key-${kt(s).slice(3)}`}),String(s)))):null}var io=n=>typeof n=="object"&&n?{...n,id:String(n.id)}:{id:String(n)};function ro(n,[
t,e],s){let o=s.tokens.get(n.id),i=g("circle",{cx:t,cy:e,r:n.current?7:5,class:n.chosen||n.current?"nv-chosen":n.visited?"nv-visited":n.frontier?"nv-frontier":""}),
r=g("text",{x:t+8,y:e+4}),l=typeof n.score=="number"?` ${Math.round(n.score*100)/100}`:"";r.textContent=String(n.label??ht(n.id))+l;let c=g("g",{class:[o?"nv-re\
f":"",kt(n.state)].filter(Boolean).join(" ")},...ao(n,t,e),i,r);if(n.note){let h=g("title",{});h.textContent=`${r.textContent}: ${n.note}`,c.append(h)}return o&&
(c.dataset.ref=o),c}function ao({ring:n},t,e){if(typeof n!="number"||!(n>0))return[];let s=9.5,o=2*Math.PI*s,i=g("title");i.textContent=`stop ${Math.round(n*100)/
100}`;let r=`${o*Math.min(n,1)} ${o}`;return[g("circle",{cx:t,cy:e,r:s,class:"nv-ring","stroke-dasharray":r},i)]}function rs(n,{linker:t}){let e=Array.isArray(n.items)?n.items:Object.entries(n.items??{});return a("dl",{class:"nv-keyvalue"},e.flatMap(([s,o])=>[a("dt",{},m(t,
String(s))),a("dd",{},At(o,t))]))}function as(n,t){let e=t.flatMap(({span:r})=>Array.isArray(r)&&r[0]<r[1]?[r]:[]),s=[...new Map(e.map(r=>[r[0],r])).values()].sort((r,l)=>r[0]-l[0]),o=[],i=0;for(let[
r,l]of s)r<i||(r>i&&o.push({text:n.slice(i,r),start:i,span:null}),o.push({text:n.slice(r,l),start:r,span:[r,l]}),i=l);return i<n.length&&o.push({text:n.slice(i),
start:i,span:null}),o}function ls({text:n,start:t},e){let s=[],o=t;for(let{relation:i,span:r}of e)!Array.isArray(r)||r[0]<o||r[1]>t+n.length||(r[0]>o&&s.push({text:n.
slice(o-t,r[0]-t),relation:null}),s.push({text:n.slice(r[0]-t,r[1]-t),relation:i}),o=r[1]);return o<t+n.length&&s.push({text:n.slice(o-t),relation:null}),s}var lo={rules:"by rules",model:"by a model",log:"as the log says",off:"not reordered"};function cs(n,{linker:t}){let e=String(n.original??""),s=n.parts??[],o=n.
relations??[],r=as(e,s).map(d=>a("span",{class:d.span?"nv-source":"nv-between",data:d.span?{from:d.span[0]}:{}},ls(d,o).map(({text:u,relation:f})=>f?a("mark",{class:"\
nv-cue",title:f,text:u}):m(t,u)))),l=s.map(d=>a("li",{class:d.moved?"nv-moved":d.span?"":"nv-added",title:d.moved?"done earlier or later than it is said":d.span?
"":"not in the original",data:d.span?{from:d.span[0]}:{}},(d.words??[[d.text,!1]]).flatMap(([u,f])=>[f?a("em",{class:"nv-fresh",text:u}):m(t,u)," "]))),c=g("svg",
{class:"nv-order-lines","aria-hidden":"true"}),h=a("div",{class:"nv-reordered"},a("div",{class:"nv-order-side"},a("h5",{text:"Original"}),a("p",{},r)),c,a("div",
{class:"nv-order-side"},a("h5",{text:`In order, ${lo[n.by]??String(n.by??"")}`}),a("ol",{},l)));new ResizeObserver(()=>co(h,c)).observe(h);let p=o.map(({cue:d,relation:u})=>a(
"span",{class:"nv-chip",text:`${d}: ${u}`}));return a("div",{},h,p.length?a("div",{class:"nv-chips",title:"temporal relations"},p):null)}function co(n,t){let e=t.
getBoundingClientRect(),s=[...n.querySelectorAll("li[data-from]")].flatMap(o=>{let i=o.dataset.from??"",r=n.querySelector(`.nv-source[data-from="${CSS.escape(i)}\
"]`);if(!r)return[];let[l,c]=[r.getClientRects(),o.getBoundingClientRect()],h=l[l.length-1]??r.getBoundingClientRect(),p=[h.top+h.height/2-e.top,c.top+Math.min(
c.height,20)/2-e.top],d=o.classList.contains("nv-moved")?"nv-order-line nv-moved":"nv-order-line",[u,f]=[e.width,4];return[g("path",{class:d,d:`M0,${p[0]} C${u/
2},${p[0]} ${u/2},${p[1]} ${u-f},${p[1]}`}),g("path",{class:`${d} nv-order-head`,d:`M${u-f-3},${p[1]-f} L${u},${p[1]} L${u-f-3},${p[1]+f}`})]});t.replaceChildren(
...s)}function hs(n,{linker:t}){let e=n.columns??[],s=a("tr",{},e.map(l=>a("th",{},m(t,String(l))))),o=(n.rows??[]).map((l,c)=>{let h=Array.isArray(l)?l:e.map(p=>l[p]);
return a("tr",{class:c===n.chosen?"nv-chosen":void 0},h.map(p=>ho(p,t)))}),i=n.note?a("p",{class:"nv-panel-note"},m(t,String(n.note))):null,r=a("table",{class:"\
nv-table"},a("thead",{},s),a("tbody",{},o));return a("div",{},i,a("div",{class:"nv-scroll-x"},r))}function ho(n,t){return typeof n=="number"?a("td",{class:"nv-n\
um",text:j(n)}):a("td",{},At(n,t))}var po=/^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/,uo=/^#{1,6}\s+(.*)$/,fo=/^\*\*([^*]+)\*\*:?$/,mo=/\*\*(.+?)\*\*|`([^`]+)`|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;function ps(n){
let t=[],e=null,s=[],o=null,i=()=>{s.length&&t.push({kind:"paragraph",text:s.join(" ")}),s=[]};for(let r of n.split(`
`)){let l=r.trim();if(o){l.startsWith("```")?(t.push({kind:"code",text:o.join(`
`)}),o=null):o.push(r);continue}let c=po.exec(r),h=uo.exec(l)??fo.exec(l);if(!c&&l&&(e=null),l.startsWith("```"))i(),o=[];else if(h)i(),t.push({kind:"heading",text:h[1].
replaceAll("**","")});else if(c){i();let p=!!c[1];(!e||e.ordered!==p)&&(e={kind:"list",ordered:p,start:Number(c[1]??1),items:[]},t.push(e)),e.items.push(c[2])}else
l?s.push(l):i()}return i(),o&&t.push({kind:"code",text:o.join(`
`)}),t}function ds(n){let t=[],e=0;for(let s of n.matchAll(mo))s.index>e&&t.push({kind:"text",text:n.slice(e,s.index)}),s[1]?t.push({kind:"strong",text:s[1]}):s[2]?
t.push({kind:"code",text:s[2]}):t.push({kind:"emphasis",text:s[3]}),e=s.index+s[0].length;return e<n.length&&t.push({kind:"text",text:n.slice(e)}),t}function q(n,t){let e=4*U,s=a("div",{class:"nv-prose"});for(let o of ps(n.slice(0,e)))s.append(go(o,t));return n.length>e&&se(s,n.length-e,()=>q(n.slice(e),t)),
s}function go(n,t){if(n.kind==="list"){let e=n.items.map(s=>a("li",{},us(s,t)));return n.ordered?a("ol",{start:n.start},e):a("ul",{},e)}return n.kind==="code"?a(
"pre",{},m(t,n.text)):a(n.kind==="heading"?"h4":"p",{},us(n.text,t))}function us(n,t){let e=document.createDocumentFragment();for(let s of ds(n)){let o=s.kind===
"code"?t.letter(s.text):void 0,i=o?$(s.text,o):m(t,s.text);s.kind==="text"?e.append(i):e.append(a(s.kind==="strong"?"strong":s.kind==="code"?"code":"em",{},i))}
return e}function ms(n,t){let[e,s]=[fs(n),fs(t)];if(e.length*s.length>1200*1200)return[{kind:"new",text:t}];let o=yo(e,s),i=[],[r,l]=[0,0];for(;r<e.length||l<s.length;)r<
e.length&&l<s.length&&e[r]===s[l]?(oe(i,"same",s[l]),r+=1,l+=1):l<s.length&&(r===e.length||o[r][l+1]>=o[r+1][l])?(oe(i,"new",s[l]),l+=1):(oe(i,"gone",e[r]),r+=1);
return i}var fs=n=>n.match(/\s*\S+|\s+$/g)??[];function yo(n,t){let e=Array.from({length:n.length+1},()=>new Array(t.length+1).fill(0));for(let s=n.length-1;s>=
0;s-=1)for(let o=t.length-1;o>=0;o-=1)e[s][o]=n[s]===t[o]?e[s+1][o+1]+1:Math.max(e[s+1][o],e[s][o+1]);return e}function oe(n,t,e){let s=n.at(-1);s?.kind===t?s.text+=
e:n.push({kind:t,text:e})}var wo={new:"ins",gone:"del",same:"span"};function gs(n,{linker:t}){let e=String(n.text??"");if(typeof n.former!="string"||n.former===e)return q(e,t);let s=ms(n.
former,e);return a("p",{class:"nv-changes"},s.map(({kind:o,text:i})=>a(wo[o],{text:i})))}var ys={bars:ss,directions:ns,graph:is,keyvalue:rs,reordered:cs,table:hs,text:gs};function ws(n,t){let e=()=>H(n.data,t.linker,t.folds,`panel.${n.title}`),s=Object.
hasOwn(ys,n.kind)?ys[n.kind]:e,o;try{o=s(n.data,t)}catch{o=e()}return a("section",{class:"nv-panel",data:{kind:n.kind}},o)}async function xs(n,t){try{await navigator.clipboard.writeText(n)}catch{let e=document.createElement("textarea");e.value=n,e.className="nv-off-screen",t.append(
e),e.select(),document.execCommand("copy"),e.remove()}t.dataset.done="true",setTimeout(()=>delete t.dataset.done,1200)}var z=n=>a("p",{class:"nv-nothing",text:n}),_t=class{constructor(t,e){this.player=t,this.folds=e,this.raw=!1}get linker(){return this.player.linker}thoughts(t,e){
let s=this.each(t,"thoughts",o=>o.thoughts===void 0?z("This call has no thoughts."):q(this.player.text(o.thoughts),this.linker));return e.thoughts?s.append(a("d\
iv",{class:"nv-streaming"},q(e.thoughts,this.linker))):t.length||s.append(z(this.waiting()?"Waiting for the model.":this.unasked())),s}prompts(t){return t.length?
this.each(t,"prompt",e=>{let s=e.messages.length>1;return!s&&!e.messages.length?z("The log does not hold this prompt."):a("div",{},e.messages.map(o=>this.message(
o,s)))}):z(this.unasked())}replies(t,e){let s=this.each(t,"reply",o=>o.reply===void 0?z(o.error??"There is no reply."):this.code(this.player.text(o.reply)));return e.
reply?s.append(a("div",{class:"nv-streaming"},this.code(e.reply))):t.length||s.append(z(this.unasked())),s}waiting(){return this.player.doc.running&&this.player.
atEnd}unasked(){return this.player.doc.unlogged??"No model was asked in this step."}each(t,e,s){let o=t.length>1||t[0]?.purpose!=="decide";return a("div",{},t.map(
i=>{let r=this.rawText(i,e),l=this.raw&&r?a("pre",{class:"nv-raw"},m(this.linker,r)):s(i);return a("section",{class:"nv-call"},this.callHead(i,o,r),l)}))}rawText(t,e){
if(e==="thoughts")return t.thoughts===void 0?"":this.player.text(t.thoughts);if(e==="reply")return t.reply===void 0?"":this.player.text(t.reply);let s=t.messages.
map(({parts:o})=>o.map(([,i])=>this.player.text(i)).join(""));return s.length<2?s[0]??"":s.map((o,i)=>`${t.messages[i].role}:
${o}`).join(`

`)}callHead(t,e,s){let{usage:o}=t,i=`${w(o?.prompt_tokens)} prompt · ${w(o?.thoughts_tokens)} thoughts · ${w(o?.output_tokens)} reply`;return a("div",{class:"\
nv-call-head"},e?a("b",{text:t.purpose}):null,t.model?a("span",{text:t.model}):null,a("span",{title:"tokens of prompt, thoughts and reply",text:i}),a("span",{text:t.
seconds===void 0?`time ${"–"}`:ct(t.seconds)}),a("span",{text:xo(t)}),t.retries?a("span",{class:"nv-flag nv-warn",text:F(t.retries,"retry","retries")}):null,t.
error?a("span",{class:"nv-flag nv-bad",text:t.error}):null,t.parse_error?a("span",{class:"nv-flag nv-bad",text:t.parse_error}):null,s?this.rawTools(s):null)}rawTools(t){
let e={mousedown:T,click:()=>this.toggleRaw()},s=this.raw?"Show it set in type":"Show it as it was sent or came back",o=a("button",{type:"button",class:"nv-smal\
l",text:this.raw?"set":"raw",title:s,"aria-pressed":String(this.raw),on:e,data:{call:"raw"}}),i=x("copy","Copy the text",()=>xs(t,i),{call:"copy"});return a("sp\
an",{class:"nv-raw-tools"},o,i)}toggleRaw(){this.raw=!this.raw,this.player.repaintPane()}message(t,e){let s=a("div",{class:"nv-message"},e?a("div",{class:"nv-ro\
le",text:t.role}):null),o=s;for(let[i,r]of t.parts){let l=this.player.text(r);i==="heading"?(o=a("div",{class:"nv-part-body"}),s.append(this.heading(l.trim(),o))):
i!=="fence"&&o.append(this.part(i,l))}return s}heading(t,e){let s=`part.${t}`,o=t.replace(/^\[(.*)\]$/s,"$1").replace(/^#+\s*/,""),i=a("summary",{text:o});return at(
{class:"nv-part"},i,e,this.folds.get(s)??!0,r=>this.folds.set(s,r))}part(t,e){let s=t==="json"?Je(e):null;if(s)return a("div",{class:"nv-json"},H(s.value,this.linker,
this.folds,"prompt"));let o=e.replace(/\n+$/,`
`).replace(/^\n+/,"");return a("pre",{class:t==="text"?"nv-plain":"nv-code"},m(this.linker,o))}code(t){return a("pre",{class:"nv-code"},m(this.linker,t))}};function xo(n){
return n.cost_usd===void 0?`cost ${"–"}`:n.list_price?`${G(n.cost_usd)} list price`:G(n.cost_usd)}function vs(n,t,e){let s=n.observation;if(!s)return z("The log does not say what the agent was shown.");let o=[s.format,`${s.visible.length} nodes`,`${s.pois.length}\
 landmarks`],i=n.calls.length?"As it stood in the prompt":"In words";return a("div",{},a("div",{class:"nv-call-head"},o.map(r=>a("span",{text:r}))),s.pois.length?
vo(s.pois):null,s.candidates.length?bo(s.candidates,t):null,s.text?a("h4",{text:i}):null,(s.text??[]).filter(([r])=>r!=="fence").map(([r,l])=>e.part(r,t.text(l))))}
function vo(n){let t=n.map(e=>{let s=b(e.name);return a("tr",{},a("td",{},e.letter?$(e.letter,s):""),a("td",{},$(e.name,s)),a("td",{text:bs(e.position??e.direction)}),
a("td",{class:"nv-num",text:k(e.distance_m)}))});return a("table",{class:"nv-table"},a("tbody",{},t))}function bo(n,t){let e=n.map(s=>a("tr",{class:`nv-cand-${s.
state}`},a("td",{},a("span",{class:`nv-cand nv-cand-${s.state}`,title:s.state})),a("td",{},t.nodeMark(s.node),s.label?` ${s.label}`:""),a("td",{text:bs(s.direction)}),
a("td",{class:"nv-num",text:ko(s)}),a("td",{},s.reason?m(t.linker,s.reason):"")));return a("table",{class:"nv-table"},a("tbody",{},e))}var bs=n=>(n??"").replace(
/^(left|right) ([\d.]+)$/,"$1 $2°");function ko(n){return n.score!==void 0?w(n.score,3):n.distance_m===void 0?"":k(n.distance_m)}var So={none:"todo",now:"doing",reached:"done",missed:"missed",cut:"missed"};function ks(n,t){let{tasks:e}=n.doc.episode,{stages:s}=n.doc,o=yt(s,t),i=e.map((l,c)=>Lo(
n,l,c,s[c],t)),r=a("ol",{class:"nv-plan nv-tasks"},i);return o>=0&&queueMicrotask(()=>Ot(r,i[o])),a("section",{class:"nv-plan-box nv-tasks-box"},a("h3",{text:`T\
ask in ${e.length} parts`}),r)}function Mo(n,t){return!n||n.first===void 0||n.last===void 0?{state:"none",said:n?.status??""}:t<n.first?{state:"none",said:"to c\
ome"}:t<n.last||n.state==="now"?{state:"now",said:"now"}:{state:n.state,said:n.status}}function Lo(n,t,e,s,o){let{state:i,said:r}=Mo(s,o),l=i==="now",c=`nv-task\
 nv-${So[i]}${l?" nv-current":""}`,h={"--nv-stage":`var(--nv-${N(e)})`},p=s!==void 0&&i!=="none"&&!l;return a("li",{class:c,style:h,data:{stage:e+1},title:`Part\
 ${e+1}: ${r}`,on:{click:()=>n.toStage(e)}},a("span",{class:"nv-stage-number",text:String(e+1)}),a("span",{class:"nv-what"},m(n.linker,t.description),t.region?a(
"span",{class:"nv-then",text:` ${t.region}`}):null,t.actions.length?a("span",{class:"nv-then",text:`, then ${t.actions.join(", ")}`}):null),a("span",{class:"nv-\
said",text:p&&s?`${r}${To(s)}`:r}))}function To({state:n,moves:t,reference_moves:e,nearest_m:s}){let o=e===void 0?"":` of ${j(e)}`,i=t===void 0?"":` · ${j(t)}${o}\
 steps`,r=s===void 0||n==="reached"?"":` · nearest ${k(s)}`;return`${i}${r}`}var ie={TODO:["todo","to do"],IN_PROGRESS:["doing","in progress"],COMPLETED:["done","completed"],SKIPPED:["skipped","skipped"]},Et=class{constructor(t){this.player=
t}sections(t){let e=this.player.doc.stages.length?ks(this.player,this.player.step):null;return[this.instruction(),e,this.plan(t),t?this.decision(t):this.hint()].
filter(o=>o!==null)}instruction(){let{doc:t,linker:e}=this.player,s=t.episode.instruction||"This episode has no instruction.";return a("section",{class:"nv-inst\
ruction"},a("h3",{text:"Instruction"}),a("p",{},m(e,s)))}plan(t){let{doc:e,atEnd:s}=this.player,o=s&&!e.running?e.end?.plan:void 0,i=t?.plan??(o?.length?o:e.planning.
sub_goals);if(!i.length&&(e.stages.length||!e.episode.tasks.length))return null;let r=t?.sub_goal,l=i.length?i.map(([h,p,d],u)=>this.subGoal(u,this.player.text(
h),p,d,r)):e.episode.tasks.map((h,p)=>this.subGoal(p,h.description,"TODO",null,r)),c=a("ol",{class:"nv-plan"},l);return r!==void 0&&queueMicrotask(()=>Ot(c,l[r])),
a("section",{class:"nv-plan-box"},a("h3",{text:i.length?"Plan":"Tasks"}),c)}subGoal(t,e,s,o,i){let[r,l]=ie[s]??ie.TODO,c=`nv-${r}${t===i?" nv-current":""}`,h={click:()=>this.
player.toSubGoal(t)},{doc:p}=this.player,d=v(p,qt(p.steps,t)),u=p.skills?.[qt(p.steps,t)??-1]?.name;return a("li",{class:c,title:`Sub-goal ${t+1}: ${l}`,on:h},a(
"span",{class:"nv-state","aria-label":l,role:"img"}),d?a("i",{class:"nv-swatch",title:u??"",style:{"background-color":d}}):null,a("span",{class:"nv-what"},m(this.
player.linker,e)),o?a("span",{class:"nv-try",title:`try ${o} of this sub-goal`,text:`try ${o}`}):null)}hint(){let{doc:t}=this.player,e="This run has no steps.";
return t.steps.length?e="Before the first step. Press → or space.":t.running&&(e="The run is starting."),a("section",{class:"nv-decision nv-mute"},a("p",{text:e}))}decision(t){
let e=t.decision,s=this.player.doc.divergence?.step===this.player.step,o=[e&&!e.legal?a("span",{class:"nv-flag nv-bad",text:"illegal"}):null,t.retries?a("span",
{class:"nv-flag nv-warn",text:F(t.retries,"retry","retries")}):null,e?.stop?a("span",{class:"nv-flag",text:"stops"}):null,s?a("span",{class:"nv-flag nv-warn",text:"\
leaves the route"}):null];return a("section",{class:"nv-decision"},a("h3",{},"Decision",o),a("p",{class:"nv-where"},this.move(t)),e?.reason?a("p",{class:"nv-rea\
son"},m(this.player.linker,e.reason)):null)}move(t){let{doc:e,atEnd:s}=this.player,o=this.player.nodeMark(t.node),i=t.decision;if(!i){let l=t.path.length>0;return[
e.running&&s?"deciding at ":l?"walked from ":"at ",o,...l?[" to ",this.player.nodeMark(t.path.at(-1))]:[]]}let r=t.path.length-1;return[o,a("span",{class:"nv-ar\
row",text:" → "}),i.target_id?this.player.nodeMark(i.target,i.target_id):a("span",{class:"nv-mute",text:$o(i)}),i.sub_goal_status?this.verdict(i.sub_goal_status):
null,r>0?a("span",{class:"nv-mute",text:` ${F(r,"link","links")}`}):null]}verdict(t){let[e,s]=ie[t]??["todo",t];return a("span",{class:`nv-verdict nv-${e}`,text:s})}};
function $o({action:n,stop:t}){return n?n.replaceAll("_"," ")+(t&&n!=="stop"?", stop":""):t?"stop":"no place named"}function Ss(n,t,e){return t===void 0?a("span",
{class:"nv-mute",text:"an unknown place (hole in the log)"}):typeof t=="number"?$(e??n.nodes.ids[t],`n:${t}`):a("span",{class:"nv-foreign",title:"This id is not\
 in the graph.",text:e??t})}var Oo=30,Ct=class{constructor(t,e){this.player=t,this.folds=new Map,this.tab=t.options.tab??"thoughts",this.chosen=!1,this.shown=null,this.top=a("div",{class:"\
nv-pane-top"}),this.split=a("div",{class:"nv-split nv-split-row"}),this.tabs=a("div",{class:"nv-tabs",role:"tablist"}),this.body=a("div",{class:"nv-tab-body",role:"\
tabpanel",tabindex:-1}),e.append(this.top,this.split,this.tabs,this.body),this.topView=new Et(t),this.calls=new _t(t,this.folds)}show(t){let{doc:e}=this.player,
s=t??e.planning,{body:o}=this,i=e.running&&o.scrollHeight-o.scrollTop-o.clientHeight<Oo;this.top.replaceChildren(...this.topView.sections(t));let r=this.tabList(
s,t),l=r.find(d=>d.key===this.tab)??r[0],c=l.empty&&!this.chosen?r.find(d=>!d.empty)??l:l;this.tabs.replaceChildren(...r.map(d=>this.tabButton(d,d===c)));let h=this.
shown===c.key,p=o.scrollTop;this.shown=c.key,o.replaceChildren(c.draw()),i&&h?o.scrollTop=o.scrollHeight:o.scrollTop=h&&(c.key==="prompt"||e.running)?p:0}open(t){
this.tab=t,this.chosen=!0,this.player.repaintPane()}tabList(t,e){let{calls:s}=t,o=this.player.atEnd?this.player.doc.streaming:{},r=[{key:"thoughts",name:"Though\
ts",empty:!s.some(c=>c.thoughts!==void 0)&&!o.thoughts,draw:()=>this.calls.thoughts(s,o)},{key:"prompt",name:"Prompt",empty:!s.length,draw:()=>this.calls.prompts(
s)},{key:"reply",name:"Reply",empty:!s.length&&!o.reply,draw:()=>this.calls.replies(s,o)}];e&&r.push({key:"seen",name:"Seen",empty:!e.observation,draw:()=>vs(e,
this.player,this.calls)});let l={linker:this.player.linker,doc:this.player.doc,folds:this.folds,step:this.player.step,go:c=>this.player.go(c)};for(let c of t.panels)
r.push({key:`panel:${c.title}`,name:c.title,empty:!1,draw:()=>ws(c,l)});return r}tabButton(t,e){return a("button",{class:`nv-tab${e?" nv-open":""}${t.empty?" nv\
-empty":""}`,role:"tab",type:"button","aria-selected":String(e),title:t.name,text:t.name,data:{tab:t.key},on:{mousedown:T,click:()=>this.open(t.key)}})}scrollTo(t){
let e=this.body.querySelector(`[data-ref="${CSS.escape(t)}"]`);e&&this.scrollToElement(e)}scrollToElement(t){let e=t.getBoundingClientRect().top-this.body.getBoundingClientRect().
top+this.body.scrollTop;this.body.scrollTo({top:e-60,behavior:"smooth"})}};function Ms(){let n=new URLSearchParams(location.search);return[location.pathname,n.get("run"),n.get("episode")].join(" ")}var Pt=class{constructor(t){this.player=
t,this.place=Ms(),this.written=0,this.waiting=void 0}get on(){return this.player.options.deepLink!==!1}start(){let{doc:t,count:e,options:s}=this.player;if(t.running)
return e;let o=(this.on?this.told():null)??s.step??"";return/^\d+$/.test(String(o))?Math.min(Number(o),e):Math.min(1,e)}told(){return new URLSearchParams(location.
search).get("step")}remember(){this.on&&(clearTimeout(this.waiting),performance.now()-this.written>250?this.write():this.waiting=setTimeout(()=>this.write(),120))}write(){
if(this.written=performance.now(),this.place!==Ms())return;let t=new URL(location.href);t.searchParams.set("step",String(this.player.step));try{history.replaceState(
history.state,"",t)}catch{}}keep(){this.written&&this.told()!==String(this.player.step)&&this.remember()}forget(){clearTimeout(this.waiting)}};var Ls={NE:"Navigation error: distance from the stop to the goal, in metres",TL:"Length of the agent's path, in metres",SPL:"Success weighted by path length",nDTW:"\
Normalised dynamic time warping",SDTW:"Success weighted by nDTW",CLS:"Coverage weighted by length score"},Ao=new Set(["NE","TL"]),_o=new Set(["error","budget","\
limit"]),Eo=10,Rt=class{constructor(t,e,s){this.player=t,this.headBox=e,this.noteBox=s}show(){let{doc:t,options:e}=this.player,o=[...new Set([t.run,t.navigator,
t.model].filter(Boolean))].join("  ·  ");this.headBox.hidden=e.header===!1,this.headBox.replaceChildren(a("h2",{text:t.title,title:t.title}),a("span",{class:"n\
v-facts",text:o,title:o}),a("span",{class:"nv-gap"}),...this.figures()),this.showNotes()}showNotes(){let{doc:t,linker:e}=this.player,s=[...t.notes];t.end&&_o.has(
t.end.status)&&s.push(`The run ended early (${t.end.status})${t.end.reason?`: ${t.end.reason}`:"."}`);let o=t.divergence?.sentence;this.noteBox.replaceChildren(
...o?[t.divergence?.step?this.divergence(o):a("p",{class:"nv-note"},m(e,o))]:[],...s.map(i=>a("p",{class:"nv-note",text:i})))}divergence(t){return a("button",{type:"\
button",class:"nv-note nv-note-divergence",title:"Go to this step (d)",on:{mousedown:T,click:()=>this.player.toDivergence()}},a("span",{class:"nv-glyph nv-mark-\
divergence"}),a("span",{},m(this.player.linker,t)))}figures(){let{doc:t}=this.player,e=Object.keys(Ls).filter(s=>s in t.metrics);return[this.outcome(),...e.map(
s=>this.figure(s))].filter(s=>s!==null)}outcome(){let{doc:t}=this.player;if(t.running)return a("span",{class:"nv-outcome nv-live",text:"running"});let e=t.metrics.
SR;return e==null?null:e>=1?a("span",{class:"nv-outcome nv-success",text:"✓ success"}):a("span",{class:"nv-outcome nv-failure",text:"✕ failure"})}figure(t){
let{metrics:e,compare:s}=this.player.doc,o=s?.metrics[t];return a("span",{class:"nv-figure",title:Ls[t]},a("span",{text:t}),a("b",{text:this.told(t,e[t])}),o==null?
null:a("i",{text:`was ${this.told(t,o)}`}))}told(t,e){if(!Ao.has(t))return w(e,2);let s=this.player.doc.episode.success_radius_m<Eo;return k(e,s?2:(e??0)<100?1:
0)}};var re=[["← →","step"],["shift + ← →","sub-goal"],["home, end","start, end"],["space","play, pause"],["1 – 9","speed"],["d","to the divergence"],["ctr\
l + k, /","search"],["f","present"],["escape","leave"],["?","these keys"]],Co=[["n, p","next, previous episode"]],Nt=class{constructor(t){let e=t.options.episodes?
[...re.slice(0,6),...Co,...re.slice(6)]:re;this.box=a("dialog",{class:"nv-help","aria-label":"Keys"},a("h3",{text:"Keys"}),a("dl",{},e.flatMap(([s,o])=>[a("dt",
{text:s}),a("dd",{text:o})])),a("p",{class:"nv-mute",text:"Point at a node id, a letter or a landmark in any text: the map shows where it is. Click it, and the \
map goes there."})),t.root.append(this.box)}get isOpen(){return this.box.open}close(){this.box.close()}toggle(){this.isOpen?this.close():this.box.show()}};var K=[],X=null,zt=!1;function $s(n){K.length||(window.addEventListener("keydown",_s),window.addEventListener("pointerdown",As,!0)),K.push(n),Ro(n)}function Os(n){
K.splice(K.indexOf(n),1),X===n&&(X=null),!K.length&&(window.removeEventListener("keydown",_s),window.removeEventListener("pointerdown",As,!0))}function As(){zt=
!1}function ae(n){X=n}function Po(){return X&&Ts(X)?X:K.findLast(Ts)??null}var Ts=n=>n.root.isConnected&&n.root.getClientRects().length>0;function Ro(n){let{activeElement:t}=document;
t instanceof HTMLInputElement&&t.getAttribute("role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!n.root.contains(t)&&t.blur()}function _s(n){n.key===
"Tab"&&(zt=!0);let t=Po();if(!t||n.defaultPrevented)return;let s=(n.ctrlKey||n.metaKey)&&!n.altKey&&!n.shiftKey&&n.key.toLowerCase()==="k"?()=>t.search.open():zo(
t,n);s&&(n.preventDefault(),n.stopPropagation(),No(t),s())}function No(n){let{activeElement:t}=document;zt||!(t instanceof HTMLElement)||n.root.contains(t)||t.blur()}
function zo(n,t){return t.ctrlKey||t.metaKey||t.altKey||Wo(t)?null:Bo(n,t)}function Bo(n,{key:t,shiftKey:e}){let s=o=>()=>{n.pause(),e?n.bySubGoal(o):n.go(n.step+
o)};if(/^[1-9]$/.test(t))return()=>n.transport.setSpeed(Number(t));switch(t){case"ArrowRight":return s(1);case"ArrowLeft":return s(-1);case"Home":return()=>n.go(
0);case"End":return()=>n.go(n.count);case" ":return()=>n.toggle();case"d":return()=>n.toDivergence();case"n":return n.options.episodes?()=>n.toEpisode("next"):null;case"\
p":return n.options.episodes?()=>n.toEpisode("previous"):null;case"f":return()=>n.present();case"?":return()=>n.help.toggle();case"/":return()=>n.search.open();case"\
Escape":return Io(n);default:return null}}function Io(n){return n.help.isOpen?()=>n.help.close():n.presenter.on?()=>n.present(!1):null}var jo="textarea, select,\
 [contenteditable=''], [contenteditable=true]",Fo=new Set(["button","checkbox","color","file","image","radio","range","reset","submit"]),Do="[role=slider], [rol\
e=listbox], [role=option], [role=menu], [role=grid], [role=radiogroup], [role=tablist], canvas[tabindex], input",Ho="button, summary, a, [role=button], [role=ch\
eckbox], [role=switch], label";function Wo(n){let t=n.composedPath()[0];return t instanceof Element?t instanceof HTMLInputElement&&!Fo.has(t.type)?!(t.getAttribute(
"role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!t.value&&/^(Arrow(Left|Right)|Home|End)$/.test(n.key)):t.closest(jo)||t.closest("dialog[open] i\
nput")?!0:zt?n.key===" "||n.key==="Enter"?t.closest(Ho)!==null:t.closest(".navviz-player")===null&&t.closest(Do)!==null:!1:!1}var Go=30,le=14,Zo=.0165,Vo=5,Bt=class{constructor(t){this.player=t,this.wasFull=!1,this.instruction=a("div",{class:"nv-told",hidden:!0}),t.main.before(this.instruction);
let{signal:e}=t.stopped;document.addEventListener("fullscreenchange",()=>this.onFullscreen(),{signal:e}),window.addEventListener("resize",()=>this.fitType(),{signal:e})}get on(){
return this.player.root.classList.contains("nv-present")}turn(t=!this.on){t!==this.on&&(this.player.root.classList.toggle("nv-present",t),t?this.enterTop():this.
leaveTop(),this.player.repaintPane(),requestAnimationFrame(()=>{this.player.map.resize(),this.player.map.fit(!1)}))}onFullscreen(){!document.fullscreenElement&&
this.wasFull&&this.turn(!1),this.wasFull=!!document.fullscreenElement}enterTop(){let{root:t,options:e}=this.player;t.setAttribute("popover","manual");try{t.showPopover()}catch{}
e.fullscreen!==!1&&t.ownerDocument.documentElement.requestFullscreen?.().catch(()=>{})}leaveTop(){let{root:t}=this.player;t.style.removeProperty("font-size"),this.
instruction.hidden=!0;try{t.hidePopover()}catch{}t.removeAttribute("popover"),document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}fitType(){if(!this.
on)return;let{root:t,pane:e}=this.player;this.instruction.replaceChildren(...e.top.querySelectorAll(".nv-instruction")),this.instruction.hidden=!1;let s=Math.min(
Go,Math.max(le,window.innerWidth*Zo));for(;s>le;s-=1)if(t.style.fontSize=`${s}px`,this.fits(s))return;t.style.fontSize=`${le}px`}fits(t){let{pane:e,paneBox:s}=this.
player,o=e.top.querySelector(".nv-plan"),i=e.top.scrollHeight<=e.top.clientHeight+1&&(!o||o.scrollHeight<=o.clientHeight+1),r=s.clientHeight-e.top.scrollHeight-
e.tabs.offsetHeight;return i&&r>=Vo*1.5*t&&this.instruction.offsetHeight<.28*window.innerHeight}};function Cs(n,t){let e=[{what:"instruction",tab:null,step:0,text:n.episode.instruction}];n.planning.sub_goals.forEach(([s],o)=>{let i=n.steps.findIndex(r=>r.sub_goal===
o);e.push({what:`sub-goal ${o+1}`,tab:null,step:i+1,text:t[s]??""})});for(let s of n.planning.landmarks){let o=n.steps.findIndex(i=>i.observation?.pois.some(r=>r.
name===s.name));e.push({what:"landmark",tab:null,step:o+1,text:s.name})}return Es(e,n.planning.calls,0,t),n.steps.forEach((s,o)=>{Es(e,s.calls,o+1,t);for(let i of s.
observation?.pois??[])e.push({what:"landmark",tab:"seen",step:o+1,text:i.name});s.decision?.reason&&e.push({what:"decision",tab:null,step:o+1,text:s.decision.reason})}),
e}function Es(n,t,e,s){for(let o of t){o.thoughts!==void 0&&n.push({what:"thoughts",tab:"thoughts",step:e,text:s[o.thoughts]??""}),o.reply!==void 0&&n.push({what:"\
reply",tab:"reply",step:e,text:s[o.reply]??""});let i=o.messages.map(({parts:r})=>r.map(([,l])=>s[l]??"").join("")).join(`

`);i&&n.push({what:"prompt",tab:"prompt",step:e,text:i})}}function Ps(n,t,e){let s=t.trim().toLowerCase();if(!s)return[];let o=[];for(let i of[...n].sort((r,l)=>+(r.
what==="prompt")-+(l.what==="prompt"))){let r=i.text.toLowerCase(),l=0;for(let c=0;c<3;c+=1){let h=r.indexOf(s,l);if(h<0)break;if(l=h+s.length,o.push({...i,...Uo(
i.text,h,s.length)}),o.length===e)return o}}return o}function Uo(n,t,e){let s=r=>r.replace(/\s+/g," "),o=Math.max(0,t-48),i=Math.min(n.length,t+e+48);return{before:s(
(o>0?"…":"")+n.slice(o,t)),match:s(n.slice(t,t+e)),after:s(n.slice(t+e,i)+(i<n.length?"…":""))}}async function Rs(n){let t=new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(t).json()}function Ns(n,t,e,s){let o=t.trim().
toLowerCase();if(!o)return[];let i=o.split(/\s+/),[r,l,c]=[[],[],[]];for(let[h,p]of n){if(h===s)continue;let d=h.toLowerCase(),u=p.toLowerCase();d===o?r.push(ce(
h,p,0,0)):d.startsWith(o)?l.push(ce(h,p,0,0)):i.every(f=>u.includes(f))&&c.push(qo(h,p,u,o,i))}return[...r,...l,...c].slice(0,e)}function qo(n,t,e,s,o){let i=e.
indexOf(s),r=i>=0?i:e.indexOf(o[0]);return ce(n,t,r,i>=0?s.length:o[0].length)}function ce(n,t,e,s){let o=Math.max(0,e-32),i=Math.min(t.length,e+s+90);return{id:n,
before:(o>0?"…":"")+t.slice(o,e),match:t.slice(e,e+s),after:t.slice(e+s,i)+(i<t.length?"…":"")}}var he=60,pe=40,Ko="This file holds one episode only; the app searches the whole run.",It=class{constructor(t){this.player=t,this.hits=[],this.others=[],this.index=
[],this.chosen=0,this.known=null;let e={input:()=>this.look(),keydown:s=>this.onKey(s)};this.field=a("input",{type:"search",class:"nv-search-field","aria-label":"\
Search",placeholder:t.options.runIndex?"Search this episode, and the run's ids and instructions":"Search prompts, thoughts, replies, landmarks",on:e}),this.list=
a("ol",{class:"nv-hits"}),this.note=a("p",{class:"nv-mute nv-search-note"}),this.box=a("dialog",{class:"nv-search","aria-label":"Search"},this.field,this.list,this.
note),t.root.append(this.box),this.box.addEventListener("focusout",s=>{this.box.contains(s.relatedTarget)||this.box.close()})}open(){this.player.pause(),this.box.
open||this.box.show(),this.field.focus(),this.field.select(),this.look(),this.readIndex()}async readIndex(){let t=await this.player.options.runIndex?.();!t||t===
this.index||(this.index=t,this.box.open&&this.look())}close(){this.field.blur(),this.box.close()}all(){let{doc:t,strings:e}=this.player;return this.known?.doc!==
t&&(this.known={doc:t,all:Cs(t,e)}),this.known.all}look(){let t=this.field.value;this.hits=Ps(this.all(),t,he),this.others=Ns(this.index,t,pe,this.player.doc.episode.
id),this.chosen=0,this.note.textContent=this.said(t);let e=this.hits.length;this.list.replaceChildren(...this.hits.map((s,o)=>this.row(s,o,s.step===0?"start":`s\
tep ${s.step}`,s.what)),...this.others.map((s,o)=>this.row(s,e+o,"episode",s.id))),this.choose(0)}said(t){let e=this.player.options.file?Ko:"";if(!t.trim())return`\
↑ ↓ choose, enter goes there, escape leaves. ${e}`.trim();let s=[];return this.hits.length===he&&s.push(`The first ${he} places in this episode.`),this.others.
length===pe&&s.push(`The first ${pe} other episodes.`),this.hits.length||s.push(this.others.length||!this.index.length?"Nothing in this episode says that.":"Not\
hing in this episode, and no other instruction of the run, says that."),[...s,e].join(" ").trim()}row(t,e,s,o){return a("li",{class:s==="episode"?"nv-hit nv-hit\
-episode":"nv-hit",on:{mousedown:r=>r.preventDefault(),click:()=>this.go(e),mousemove:()=>this.choose(e)}},a("span",{class:"nv-hit-where",text:`${s} · ${o}`}),
a("span",{class:"nv-hit-text"},t.before,a("mark",{text:t.match}),t.after))}choose(t){this.chosen=Math.max(0,Math.min(this.hits.length+this.others.length-1,t)),[
...this.list.children].forEach((e,s)=>{e.classList.toggle("nv-on",s===this.chosen),s===this.chosen&&e.scrollIntoView({block:"nearest"})})}onKey(t){if(t.key==="E\
scape")this.close();else if(t.key==="Enter")this.go(this.chosen);else if(t.key==="ArrowDown")this.choose(this.chosen+1);else if(t.key==="ArrowUp")this.choose(this.
chosen-1);else return;t.preventDefault(),t.stopPropagation()}go(t){let{player:e}=this,s=this.hits[t],o=this.others[t-this.hits.length];if(!(!s&&!o)){if(this.close(),
!s){e.options.onAction?.("open",e.step,o.id);return}e.go(s.step),s.tab&&(e.pane.open(s.tab),this.show(s))}}show(t){let{body:e}=this.player.pane,s=Xo(e,t.match.toLowerCase());
if(!s?.startContainer.parentElement)return;let o=s.startContainer.parentElement;for(let i=o.closest("details");i;i=i.parentElement?.closest("details")??null)i.open=
!0;this.player.pane.scrollToElement(o),getSelection()?.removeAllRanges(),getSelection()?.addRange(s)}};function Xo(n,t){let e=document.createTreeWalker(n,NodeFilter.
SHOW_TEXT),s=[],o="";for(;e.nextNode();){let p=e.currentNode;s.push([p,o.length]),o+=p.data}let i=o.toLowerCase().indexOf(t);if(i<0)return null;let r=p=>s.findLast(
([,d])=>d<=p),l=r(i),c=r(i+t.length-1);if(!l||!c)return null;let h=document.createRange();return h.setStart(l[0],i-l[1]),h.setEnd(c[0],i+t.length-c[1]),h}function zs(n){let t=[];return n.forEach((e,s)=>{let o=e.sub_goal??null,i=t.at(-1);i&&i.goal===o?i.to=s+1:t.push({goal:o,from:s+1,to:s+1})}),t}function Bs(n,t,e,s){
let o=[0,...n.map(i=>i.from),e];return s>0?o.find(i=>i>t):o.findLast(i=>i<t)}var jt=.2,Ft=class{constructor(t,e,s){this.player=t,this.make(e,"column",t.main,"map and text"),this.make(s,"row",t.paneBox,"plan and thoughts")}make(t,e,s,o){t.
setAttribute("role","separator"),t.setAttribute("aria-orientation",e==="column"?"vertical":"horizontal"),t.title=`Drag to share the room between ${o}; double-cl\
ick for the first share`;let i=xt(`split.${e}`);typeof i=="number"&&this.set(s,e,i),t.addEventListener("pointerdown",r=>{r.preventDefault(),t.setPointerCapture(
r.pointerId),t.dataset.held="true"}),t.addEventListener("pointermove",r=>{if(!t.dataset.held)return;let l=Jo(s,e,r);this.set(s,e,l),tt(`split.${e}`,l)}),t.addEventListener(
"lostpointercapture",()=>{delete t.dataset.held}),t.addEventListener("dblclick",()=>{s.style.removeProperty(`--nv-${e}`),delete s.dataset[e],tt(`split.${e}`,null)})}set(t,e,s){
t.style.setProperty(`--nv-${e}`,`${(100*Math.min(1-jt,Math.max(jt,s))).toFixed(2)}%`),t.dataset[e]="set"}};function Jo(n,t,e){let s=n.getBoundingClientRect(),o=t===
"column"?(e.clientX-s.left)/s.width:(e.clientY-s.top)/s.height;return Math.min(1-jt,Math.max(jt,o))}function Yo(n){let t=/^#([0-9a-f]{3}|[0-9a-f]{6})/i.exec(n)?.[1],e;return t?e=(t.length===3?[...t].map(o=>o+o):t.match(/../g)??[]).map(o=>Number.parseInt(o,16)):
e=/rgba?\(([^)]+)\)/.exec(n)?.[1].split(/[ ,/]+/).slice(0,3).map(Number),e?(.2126*e[0]+.7152*e[1]+.0722*e[2])/255:null}function nt(n){let t=getComputedStyle(n.parentElement??
n).getPropertyValue("--st-background-color").trim(),e=t?Yo(t):null;return e!==null?e>.5?"light":"dark":matchMedia("(prefers-color-scheme: dark)").matches?"dark":
"light"}var Dt=class{constructor(t){this.root=t,this.known=new Map}get(t){let e=`${this.root.dataset.theme} ${t}`,s=this.known.get(e)??getComputedStyle(this.root).
getPropertyValue(`--nv-${t}`).trim();return this.known.set(e,s),s}};var Qo=250,Ht=class{constructor(t,e){this.player=t,this.held=!1,this.track=a("div",{class:"nv-track",role:"slider",tabindex:0,"aria-label":"Step","aria-valuemin":0}),
this.track.addEventListener("pointerdown",s=>this.grab(s)),this.track.addEventListener("pointermove",s=>{s.buttons===1&&this.held&&this.seek(s)}),this.track.addEventListener(
"pointerup",()=>{this.held=!1}),e.append(this.track),this.rows=new gt(this,this.track),this.cursor=a("div",{class:"nv-cursor"}),this.count=0,this.segments=[],this.
segmentNodes=[],this.build()}get doc(){return this.player.doc}build(){this.count=this.doc.steps.length,this.segments=zs(this.doc.steps),this.segmentNodes=this.segments.
map((t,e)=>this.segment(t,e)),this.track.replaceChildren(this.distances(),this.label(),...this.segmentNodes,...this.skills(),...this.cells(),...this.marks(),this.
cursor),this.rows.build(),this.track.setAttribute("aria-valuemax",String(this.count))}left(t){return 100*t/(this.count+1)}middle(t){return 100*(t+.5)/(this.count+
1)}label(){let t=this.doc.steps.some(o=>o.to_goal_m!==void 0||o.to_target_m!==void 0),e=this.doc.stages.length?"distance to target":"distance to goal",s=this.left(
1)<7?"":t?e:"start";return a("div",{class:"nv-track-label",style:{width:`${this.left(1)}%`},text:s})}segment({goal:t,from:e,to:s},o){let i=this.doc.steps[e-1].plan??
this.doc.planning.sub_goals,r=t===null?void 0:i[t],l=t===null?"":`${t+1}  ${r?(this.player.strings[r[0]]??"").slice(0,300):""}`,c=`nv-segment${o%2?" nv-odd":""}${t===
null?" nv-unplanned":""}`,h={left:`${this.left(e)}%`,width:`${this.left(s+1)-this.left(e)}%`};return a("div",{class:c,title:l,style:h},a("span",{text:l}))}cells(){
return this.count>Qo?[]:Array.from({length:this.count+1},(t,e)=>a("div",{class:"nv-tick",style:{left:`${this.left(e)}%`}}))}skills(){let{doc:t}=this;return Q(t.
steps,0,this.count).flatMap(({skill:e,back:s,from:o,to:i})=>{let r=v(t,e);if(e===void 0||!r)return[];let l=i-o>1?`Steps ${o+1} to ${i}`:`Step ${i}`,c={left:`${this.
left(o+1)}%`,width:`${this.left(i+1)-this.left(o+1)}%`,"background-color":r},h=`${l}: ${t.skills?.[e]?.name}${s?", back to the best stop":""}`;return[a("div",{class:"\
nv-track-skill",title:h,style:c,data:{skill:e}})]})}marks(){let{doc:t}=this,e=[],s=(r,l,c)=>{let h={mark:l,step:r};e.push(a("div",{class:`nv-mark nv-mark-${l}`,
title:`Step ${r}: ${c}`,data:h,style:{left:`${this.middle(r)}%`}}))};t.steps.forEach((r,l)=>{r.decision&&!r.decision.legal?s(l+1,"illegal","illegal decision"):r.
retries&&s(l+1,"retry","retried")});let o=t.divergence;o?.step&&s(o.step,"divergence",o.sentence??"leaves the reference path"),o?.returned_step&&s(o.returned_step,
"returned","back on the reference path");let i=t.compare?.first_difference;return i&&i<=this.count&&s(i,"difference","first difference to the run compared"),t.forked_from?.
step&&s(Math.min(t.forked_from.step,this.count),"fork","forked here"),t.end&&this.count&&s(this.count,"stop",`the end (${t.end.status})`),e}distances(){let{stages:t}=this.
doc,e=this.doc.steps.map(p=>t.length?p.to_target_m:p.to_goal_m),s=g("svg",{class:"nv-distances",viewBox:"0 0 100 100",preserveAspectRatio:"none","aria-hidden":"\
true"}),o=e.filter(p=>p!==void 0);if(o.length<2)return s;let i=this.doc.episode.success_radius_m,r=Math.max(...o,i*2),l=p=>96-88*p/r,c=(p,d)=>p===void 0?[]:[[this.
middle(d+1),l(p)]],h=t.length?t.map(({first:p,last:d})=>[p??1,d??0]):[[1,e.length]];for(let[p,d]of h){let u=e.slice(p-1,d).flatMap((y,B)=>c(y,p-1+B));if(u.length<
2)continue;let f=u.map(y=>y.join(",")).join(" ");s.append(g("polygon",{points:`${u[0][0]},100 ${f} ${u[u.length-1][0]},100`}),g("polyline",{points:f,"vector-eff\
ect":"non-scaling-stroke"}))}return s.append(g("line",{x1:0,x2:100,y1:l(i),y2:l(i),"vector-effect":"non-scaling-stroke"})),s}show(t){this.cursor.style.setProperty(
"left",`${this.middle(t)}%`),this.rows.show(t),this.track.setAttribute("aria-valuenow",String(t)),this.segments.forEach(({from:e,to:s},o)=>{this.segmentNodes[o].
classList.toggle("nv-now",t>=e&&t<=s)})}grab(t){t.button===0&&(this.held=!0,this.track.setPointerCapture(t.pointerId),t.preventDefault(),this.seek(t))}seek(t){let e=this.
track.getBoundingClientRect(),s=(t.clientX-e.left)/e.width;this.player.pause(),this.player.go(Math.floor(s*(this.player.count+1)))}};var ti=2400,ei=2,si=320,Wt=class{constructor(t,e){this.player=t,this.speed=ei,this.timer=null,this.playButton=this.button("play","Play (space)",()=>this.toggle()),
this.where=a("span",{class:"nv-step"}),this.tally=a("span",{class:"nv-tally"}),this.speedBox=this.speeds(),e.append(this.bar())}button(t,e,s){return x(t,e,s,{press:t})}bar(){
let{player:t}=this;return a("div",{class:"nv-transport"},this.button("first","Start (home)",()=>t.go(0)),this.button("previous","Step back (←)",()=>t.go(t.step-
1)),this.playButton,this.button("next","Step on (→)",()=>t.go(t.step+1)),this.button("last","End (end)",()=>t.go(t.count)),this.speedBox,this.where,a("span",{
class:"nv-gap"}),this.tally,(t.options.actions??[]).map(e=>this.action(e)),this.button("search","Search (ctrl + k)",()=>t.search.open()),this.button("keys","Key\
s (?)",()=>t.help.toggle()),this.button("present","Present (f)",()=>t.present()))}action({name:t,label:e}){return a("button",{type:"button",class:"nv-action",data:{
action:t},on:{mousedown:T,click:()=>this.player.options.onAction?.(t,this.player.step)},text:e})}speeds(){let t=Array.from({length:9},(o,i)=>a("option",{value:i+
1,text:`${i+1}×`})),s=a("select",{class:"nv-speed",title:"Speed (1 – 9)","aria-label":"Speed",on:{change:()=>{this.setSpeed(Number(s.value)),s.blur()}}},t);return s.
value=String(this.speed),s}show(t){let{player:e}=this;this.where.replaceChildren(a("b",{text:`Step ${e.step}`}),` of ${e.count}`);let s=t.partial?"+":"";this.tally.
replaceChildren(this.fact("tokens",t.tokens===void 0?"–":w(t.tokens)+s,"Tokens so far; a dash where the log does not say"),this.fact("time",ct(t.seconds),"Tim\
e of the model calls so far"),t.list_price?this.fact("list price",G(t.cost_usd),"Cost so far at list price; the log does not tell what was paid"):this.fact("cos\
t",G(t.cost_usd),"Cost so far"))}fact(t,e,s){return a("span",{title:s,class:e==="–"?"nv-unknown":""},a("i",{text:t}),e)}get playing(){return this.timer!==null}toggle(){
this.playing?this.pause():this.play()}play(){let{player:t}=this;if(!t.count)return;t.atEnd&&!t.doc.running&&t.go(0);let e=(t.doc.free?si:ti)/this.speed;t.root.style.
setProperty("--nv-step-time",`${Math.round(e)}ms`),this.timer=setInterval(()=>this.tick(),e),this.playButton.replaceChildren(lt("pause")),t.root.dataset.playing=
"true"}tick(){this.player.atEnd?this.pause():this.player.go(this.player.step+1)}pause(){this.timer!==null&&(clearInterval(this.timer),this.timer=null,this.playButton.
replaceChildren(lt("play")),this.player.root.dataset.playing="false")}setSpeed(t){this.speed=t,this.speedBox.value=String(t),this.playing&&(this.pause(),this.play())}};async function ot(n){if(Array.isArray(n))return n;let t=Uint8Array.from(atob(n.gzip),s=>s.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream(
"gzip"));return new Response(e).json()}var ni=460,oi=1e3,ii=700,W=class n{static async mount(t,e,s={}){return new n(t,e,s,await ot(e.strings))}constructor(t,e,s,o){this.root=t,this.options={deepLink:!0,
...s},this.doc=e,this.strings=o,this.linker=new st(e),this.places=new Map,this.address=new Pt(this),this.step=this.address.start(),this.stopped=new AbortController,
this.updates=0,this.hovered=null,this.colors=new Dt(t),this.prepareRoot(),this.mapBox=a("div",{class:"nv-map"}),this.paneBox=a("div",{class:"nv-pane"});let i=a(
"header",{class:"nv-head"}),r=a("div",{class:"nv-notes"}),l=a("footer",{class:"nv-foot"}),c=a("div",{class:"nv-split nv-split-column"});this.main=a("div",{class:"\
nv-main"},this.mapBox,c,this.paneBox),t.append(a("div",{class:"nv-frame"},i,r,this.main,l)),this.fillHeight(),this.head=new Rt(this,i,r),this.head.show(),this.pane=
new Ct(this,this.paneBox),this.timeline=new Ht(this,l.appendChild(a("div",{class:"nv-line"}))),this.transport=new Wt(this,l),this.help=new Nt(this),this.search=
new It(this),this.presenter=new Bt(this),this.splits=new Ft(this,c,this.pane.split);let h=e.frame==="geo"?$t:Tt;this.map=new h(this.mapBox,e,this.mapApi()),this.
listen(),this.show(),$s(this)}prepareRoot(){let{root:t,doc:e}=this;t.replaceChildren(),t.classList.add("navviz-player"),t.dataset.ready="false",t.dataset.theme=
this.options.theme??nt(t),t.dataset.episode=e.episode.id,t.dataset.steps=String(this.count),t.dataset.free=String(e.free),this.options.shows&&(t.dataset.shows=this.
options.shows)}get count(){return this.doc.steps.length}get atEnd(){return this.step===this.count}get current(){return this.step===0?null:this.doc.steps[this.step-
1]}text(t){return this.strings[t]??""}nodeMark(t,e){return Ss(this.doc,t,e)}mapApi(){let t=this;return{get doc(){return t.doc},options:this.options,resolve:(e,s)=>this.
resolve(e,s),hover:e=>this.lightText(e),pick:e=>this.pane.scrollTo(e),mentions:e=>this.paneBox.querySelectorAll(`[data-ref="${CSS.escape(e)}"]`).length,color:e=>this.
colors.get(e),focus:()=>ae(this)}}resolve(t,e){let s=`${e} ${t}`,o=this.places.get(s)??(t.startsWith("n:")?this.nodePlace(Number(t.slice(2))):this.namedPlace(t,
e));return this.places.set(s,o),o}nodePlace(t){let e=this.doc.frame==="geo"?2:3,{ids:s,at:o}=this.doc.nodes;return{label:s[t],nodes:[t],at:[o.slice(t*e,t*e+e)]}}namedPlace(t,e){
let s=l=>l.filter(c=>b(c.name)===t&&c.at),o=l=>s(l?.observation?.pois??[]),i=o(this.doc.steps[e-1]);i.length||(i=this.doc.steps.flatMap(o)),i.length||(i=s(this.
doc.pois));let r=i.map(l=>l.node).filter(l=>typeof l=="number");return{label:i[0]?.name??t.slice(2),nodes:r,at:i.flatMap(l=>l.at?[l.at]:[])}}lightText(t){for(let e of this.
root.querySelectorAll(".nv-ref.nv-lit"))e.classList.remove("nv-lit");for(let e of t)for(let s of this.root.querySelectorAll(`[data-ref="${CSS.escape(e)}"]`))s.classList.
add("nv-lit")}go(t){let e=Math.max(0,Math.min(this.count,t));e!==this.step&&(this.step=e,this.show(),this.address.remember(),this.options.onStep?.(e))}show(){let{
current:t}=this;this.linker.setStep(t),this.pane.show(t),this.presenter.fitType(),this.timeline.show(this.step),this.map.showStep(this.step),this.transport.show(
t?.so_far??this.doc.planning.so_far),this.root.dataset.step=String(this.step),this.root.dataset.ready!=="true"&&requestAnimationFrame(()=>requestAnimationFrame(
()=>this.painted()))}painted(){this.stopped.signal.aborted||(this.root.dataset.ready="true")}repaintPane(){this.pane.show(this.current),this.presenter.fitType()}toDivergence(){
let t=this.doc.divergence?.step??this.doc.compare?.first_difference;t&&(this.pause(),this.go(t))}toSubGoal(t){let e=this.doc.steps.findIndex(s=>s.sub_goal===t);
e<0||(this.pause(),this.go(e+1))}toStage(t){let e=this.doc.stages[t]?.first;e!==void 0&&this.jump(e)}jump(t){this.pause(),this.go(t)}bySubGoal(t){let{stages:e}=this.
doc,s=e.length?Re(e,this.step,this.count,t):Bs(this.timeline.segments,this.step,this.count,t);s!==void 0&&this.go(s)}toEpisode(t){this.pause(),this.options.onAction?.(
t,this.step)}toggle(){this.transport.toggle()}pause(){this.transport.pause()}present(t){this.presenter.turn(t)}listen(){let{signal:t}=this.stopped,{root:e}=this;
e.addEventListener("pointerdown",()=>ae(this),{signal:t}),e.addEventListener("mouseover",r=>this.onHover(r),{signal:t}),e.addEventListener("click",r=>this.onClick(
r),{signal:t}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>this.followTheme(),{signal:t});let{navigation:s}=window;s?.addEventListener(
"currententrychange",()=>this.address.keep(),{signal:t}),this.options.height==="fill"&&this.followWindow(t);let o=new ResizeObserver(()=>this.map.resize());o.observe(
this.mapBox);let i=new MutationObserver(()=>this.followTheme());for(let r=e.parentElement;r;r=r.parentElement)i.observe(r,{attributes:!0,attributeFilter:["class",
"style"]});t.addEventListener("abort",()=>{o.disconnect(),i.disconnect()})}onHover(t){let e=Is(t);e!==this.hovered&&(this.hovered=e,this.lightText(e?[e]:[]),this.
map.highlight(e?[e]:[]))}onClick(t){let e=Is(t);!e||this.mapBox.contains(t.target)||(t.stopPropagation(),this.map.panTo(e))}followTheme(){let t=this.options.theme??
nt(this.root);t!==this.root.dataset.theme&&(this.root.dataset.theme=t,this.map.setTheme())}followWindow(t){window.addEventListener("resize",()=>this.fillHeight(),
{signal:t});let e=new ResizeObserver(()=>this.fillHeight());for(let s=this.root.parentElement;s;s=s.parentElement)e.observe(s);t.addEventListener("abort",()=>e.
disconnect())}fillHeight(){let{root:t,options:e}=this;if(typeof e.height=="number"&&(t.style.height=`${e.height}px`),e.height!=="fill")return;let s=t.getBoundingClientRect().
top+window.scrollY,o=t.clientWidth<ii?oi:ni;t.style.height=`${Math.max(o,window.innerHeight-Math.min(s,320)-12)}px`}async update(t){let e=++this.updates,s=await ot(
t.strings);if(e!==this.updates||this.stopped.signal.aborted)return;let o=this.atEnd;this.doc=t,this.strings=s,this.linker=new st(t),this.places=new Map,this.step=
o?this.count:Math.min(this.step,this.count),this.root.dataset.steps=String(this.count),this.root.dataset.episode=t.episode.id,this.head.show(),this.timeline.build(),
this.map.update(t),this.show()}destroy(){this.pause(),this.address.forget(),this.presenter.turn(!1),this.stopped.abort(),Os(this),this.map.destroy(),this.root.replaceChildren(),
this.root.removeAttribute("data-ready")}};function Is(n){let t=n.target instanceof Element?n.target.closest("[data-ref]"):null;return t instanceof HTMLElement||
t instanceof SVGElement?t.dataset.ref??null:null}var ue={};Us(ue,{episodes:()=>pi,pick:()=>mi,player:()=>hi});var ri={start:"Click where the walk starts",goal:"Click the goal",again:"Click to choose a new start"},ai=120,li=3e3,js={ground:"#f3f4f2",casing:"#d5d8d6",street:"\
#ffffff",node:"#8d97a3",start:"#1b232c",goal:"#0072b2",hover:"#00a2c7"},ci={ground:"#14181d",casing:"#0d1013",street:"#3a434e",node:"#7c8794",start:"#e8edf3",goal:"\
#56b4e9",hover:"#63e0ff"},Gt=class n{static mount(t,e,s){return new n(t,e,s)}constructor(t,e,s){this.root=t,this.doc=e,this.options=s,this.colors=js,t.classList.
add("navviz-pick"),this.box=a("div",{class:"nv-pick-map",role:"application","aria-label":"Map: click to choose a start and a goal"}),this.tip=a("div",{class:"nv\
-pick-tip"}),this.credit=a("div",{class:"nv-pick-credit"}),t.append(this.box,this.tip,this.credit);let o=e.frame==="geo"?{crs:L.CRS.EPSG3857,minZoom:11,maxZoom:20}:
{crs:L.CRS.Simple,minZoom:-2,maxZoom:8};this.map=L.map(this.box,{zoomControl:!0,attributionControl:!1,preferCanvas:!0,zoomSnap:.25,...o}),this.ground=L.layerGroup().
addTo(this.map),this.marks=L.layerGroup().addTo(this.map),this.map.on("click",i=>{let r=this.nearest(i.containerPoint);r!==null&&this.options.onPick(r)}),this.map.
on("mousemove",i=>this.hover(this.nearest(i.containerPoint))),this.map.on("mouseout",()=>this.hover(null)),this.sized=new ResizeObserver(()=>this.map.invalidateSize(
{animate:!1})),this.sized.observe(t),this.show(!0),this.map.setView(e.at[e.around??0]??[0,0],e.frame==="geo"?16:4),(e.frame!=="geo"||e.ids.length<li)&&this.map.
fitBounds(L.latLngBounds(e.at).pad(.03))}update(t,e){let s=this.doc.ids.length===t.ids.length&&this.doc.ids[0]===t.ids[0];this.doc=t,this.options=e,this.show(!s)}show(t){
let e=nt(this.root),s=this.root.dataset.theme!==e;this.root.dataset.theme=e,this.colors=e==="dark"?ci:js,this.root.style.height=`${this.options.height}px`,(t||s)&&
this.drawGround(),this.drawMarks(),this.tip.textContent=this.options.words??ri[this.options.mode],this.credit.textContent=this.doc.attribution??""}drawGround(){
let{doc:t,colors:e}=this;this.ground.clearLayers(),this.box.style.background=e.ground;let s=t.links.map(([i,r])=>[t.at[i],t.at[r]]),o={interactive:!1,smoothFactor:0};
L.polyline(s,{...o,color:e.casing,weight:6}).addTo(this.ground),L.polyline(s,{...o,color:e.street,weight:4}).addTo(this.ground);for(let i of t.pois)L.circleMarker(
i.at,{radius:3,stroke:!1,fillColor:e.node,fillOpacity:.9}).bindTooltip(a("span",{text:i.name})).addTo(this.ground)}drawMarks(){let{doc:t,colors:e}=this;this.marks.
clearLayers(),this.hover(null),t.route.length&&L.polyline(t.route,{color:e.goal,weight:5,dashArray:"9 7",interactive:!1}).addTo(this.marks),this.mark(t.start,"S\
tart",{color:e.start,weight:3,fillColor:e.ground,fillOpacity:1});let s={color:e.goal,weight:4,fillColor:e.goal,fillOpacity:.5};this.mark(t.goal,t.more.length?"1":
"Goal",s),t.more.forEach((o,i)=>{this.mark(o,String(i+2),s)})}mark(t,e,s){if(t===null)return;L.circleMarker(this.doc.at[t],{...s,radius:8,interactive:!1}).bindTooltip(
e,{permanent:!0,direction:"right"}).addTo(this.marks)}nearest(t){let e=null,s=ai;return this.doc.at.forEach((o,i)=>{let r=this.map.latLngToContainerPoint(o).distanceTo(
t);r<s&&(s=r,e=i)}),e}hover(t){this.lit?.remove(),this.lit=t===null?null:L.circleMarker(this.doc.at[t],{radius:7,color:this.colors.hover,weight:3,fill:!1,interactive:!1}).
addTo(this.map)}destroy(){this.sized.disconnect(),this.map.eachLayer(t=>{let e=t;e._redrawRequest&&(L.Util.cancelAnimFrame(e._redrawRequest),e._redrawRequest=null)}),
this.map.remove(),this.root.replaceChildren()}};var Zt=new WeakMap,J=null,de=new WeakMap;async function hi({data:n,parentElement:t,setTriggerValue:e}){let{digest:s,bytes:o}=Fs(n),i=Zt.get(t);if(i&&(i.send=e),
i?.digest===s)return i.destroy;let r=JSON.parse(new TextDecoder().decode(o));if(i){if(i.digest=s,i.shows===r.options.shows){let c=await i.player;i.digest===s&&await c.
update(r.document)}else i.shows=r.options.shows,i.player=fi(i,r),await i.player;return i.destroy}let l=ui(t,s,e,r);return Zt.set(t,l),await l.player,l.destroy}function Fs(n){
let t=n instanceof Uint8Array?n:new Uint8Array(n),e=t.indexOf(10);return{digest:new TextDecoder().decode(t.subarray(0,e)),bytes:t.subarray(e+1)}}function pi({data:n}){
let t=Fs(n);return J?.digest!==t.digest&&(J=t),()=>{}}async function di(){return J&&(J.entries??=Rs(J.bytes)),await J?.entries??[]}function ui(n,t,e,s){let o=document.
createElement("div");n.append(o);let i={digest:t,send:e,shows:s.options.shows,root:o,player:W.mount(o,s.document,Ds(s.options,()=>i)),destroy:()=>{Zt.delete(n),
i.player.then(r=>{r.destroy(),o.remove()})}};return i}function Ds(n,t){return{...n,onAction:(e,s,o)=>t().send("action",{name:e,step:s,episode:o??null}),runIndex:n.
episodes?di:void 0}}async function fi(n,{document:t,options:e}){let[s,o]=await Promise.all([n.player,ot(t.strings)]);return n.shows!==e.shows||!Zt.has(n.root.parentElement)?
s:(s.destroy(),new W(n.root,t,Ds(e,()=>n),o))}function mi({data:n,parentElement:t,setTriggerValue:e}){let s={...n.options,onPick:r=>e("picked",r)},o=de.get(t);if(o)
o.update(n.document,s);else{let r=document.createElement("div");t.append(r),o=Gt.mount(r,n.document,s),de.set(t,o)}let i=o;return()=>{de.delete(t),i.destroy()}}globalThis.NavVizPlayer=W;globalThis.NavVizStreamlit=ue;window.dispatchEvent(new Event("navviz-code"));})();
