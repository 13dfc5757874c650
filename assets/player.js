/* Built from assets/player/src by `npm run build`; do not edit. */
"use strict";(()=>{var Fs=Object.defineProperty;var Ds=(n,t)=>{for(var e in t)Fs(n,e,{get:t[e],enumerable:!0})};var Hs=new Set(["class","text","on","data","style"]);function a(n,t={},...e){let s=document.createElement(n);t.class&&(s.className=t.class),t.text!==void 0&&t.text!==
null&&(s.textContent=String(t.text));for(let[o,i]of Object.entries(t.on??{}))s.addEventListener(o,i);for(let[o,i]of Object.entries(t.data??{}))s.dataset[o]=String(
i);for(let[o,i]of Object.entries(t.style??{}))s.style.setProperty(o,i);for(let[o,i]of Object.entries(t))Hs.has(o)||i===void 0||i===null||i===!1||s.setAttribute(
o,i===!0?"":String(i));for(let o of e.flat())o!=null&&o!==!1&&s.append(o);return s}var Ws="http://www.w3.org/2000/svg";function g(n,t={},...e){let s=document.createElementNS(
Ws,n);for(let[o,i]of Object.entries(t))s.setAttribute(o,String(i));return s.append(...e),s}var T=n=>n.preventDefault();function rt(n,t,e,s,o){let i=a("details",
n,t,e);return i.open=s,t.addEventListener("click",()=>o(!i.open)),i}var Gs={first:"M6 5v14M19 5 9 12l10 7z",previous:"M17 5 7 12l10 7z",play:"M7 4l13 8-13 8z",pause:"\
M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",next:"M7 5l10 7-10 7z",last:"M18 5v14M5 5l10 7-10 7z",keys:"M12 17h.01M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.1",present:"\
M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",search:"M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",copy:"M9 9h11v11H9zM5 15H4V4h11v1",closer:"M12 5\
v14M5 12h14",farther:"M5 12h14",whole:"M4 9V5a1 1 0 0 1 1-1h4M20 9V5a1 1 0 0 0-1-1h-4M4 15v4a1 1 0 0 0 1 1h4M20 15v4a1 1 0 0 1-1 1h-4",close:"M12 3v3M12 18v3M3 \
12h3M18 12h3M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",tiles:"M9 4 3.5 6.5v13L9 17l6 3 5.5-2.5v-13L15 7 9 4zM9 4v13M15 7v13",layers:"M12 4 3 9l9 5 9-5zM4 13l8 4.5L20 1\
3",plan:"M4 4h16v16H4zM4 11h7V4M11 20v-5h9",both:"M3 5h18v14H3zM12 5v14",scene:"M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5"},Zs=new Set(["fi\
rst","previous","play","pause","next","last"]);function at(n){let t=Zs.has(n)?"nv-icon nv-filled":"nv-icon";return g("svg",{viewBox:"0 0 24 24",class:t,"aria-hi\
dden":"true"},g("path",{d:Gs[n]}))}function v(n,t,e,s={}){return a("button",{...{type:"button",class:"nv-button",title:t,"aria-label":t,data:s},on:{mousedown:T,
click:e}},at(n))}function w(n,t=0){return n==null?"–":n.toLocaleString("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})}function G(n){return n==null?"–":`$${w(n,n<
.1?4:2)}`}function lt(n){if(n==null)return"–";if(n<90)return`${w(n,1)} s`;let t=Math.round(n);return`${Math.floor(t/60)} min ${t%60} s`}function k(n,t=1){return n==
null?"–":`${w(n,t)} m`}var I=n=>String(Math.round(n*1e3)/1e3),F=(n,t,e)=>`${w(n)} ${n===1?t:e}`,ct=n=>n.length>12?`${n.slice(0,6)}…`:n;var pe=(n,t)=>Math.atan2(t[0]-n[0],t[1]-n[1])*180/Math.PI,ht=n=>((n+180)%360+360)%360-180;function Vt(n,t,e){let s=t*Math.PI/180;return[n[0]+e*Math.sin(s),n[1]+
e*Math.cos(s)]}var de=n=>Math.floor(((n%360+360)%360+22.5)/45)%8;function fe(n){Vs(n);let t=n.house.rooms.length?Us(n):qs(n);return Ks(n),Xs(n),Js(n),t}function Vs(n){let{color:t}=n.api;for(let{floor:e,outline_m:s}of n.house.
outlines){if(e!==n.floor)continue;let o=s.map(([r,l])=>[l,r]),i={color:t("mute"),weight:1,opacity:.6,dashArray:"2 3",fillColor:t("paper"),fillOpacity:.8};n.add(
L.polygon(o,n.on("ground",i)),"ground")}}function Us(n){let{color:t}=n.api,e=[],s=n.house.rooms.filter(o=>o.floor===n.floor);for(let{box_m:[o,i,r,l]}of s){let c=n.
on("ground",{color:t("mute"),weight:1.5,fillColor:t("paper"),fillOpacity:1,lineJoin:"miter"});e.push({layer:n.add(L.rectangle([[i,o],[l,r]],c),"ground"),width_m:.1,
least:1.5})}for(let{at_m:[o,i]}of n.house.doors.filter(r=>r.floor===n.floor)){let r=s.some(({box_m:[p,,d]})=>Math.abs(p-o)<.01||Math.abs(d-o)<.01),[l,c]=r?[0,.45]:
[.45,0],h=n.on("ground",{color:t("paper"),lineCap:"butt"});e.push({layer:n.add(L.polyline([[i-c,o-l],[i+c,o+l]],h),"ground"),width_m:.16,least:3})}return e}function qs(n){
let{links:t}=n.doc,e=[];for(let r=0;r<t.length;r+=2)n.here(t[r])&&n.here(t[r+1])&&e.push(n.line([t[r],t[r+1]]));let s=n.api.color("street"),o=n.on("ground",{stroke:!1,
fillColor:s,fillOpacity:1});for(let r of me(n))n.add(L.circle(n.spotOf(r),{...o,radius:1.7/2}),"ground");return e.length?[{layer:n.add(L.polyline(e,n.on("ground",
{color:s,smoothFactor:0})),"ground"),width_m:1.7,least:4}]:[]}var me=n=>n.doc.nodes.ids.map((t,e)=>e).filter(t=>n.here(t));function Ks(n){let{links:t}=n.doc,e=n.
api.color("node"),s=[],o=[];for(let i=0;i<t.length;i+=2){let[r,l]=[t[i],t[i+1]];n.here(r)&&n.here(l)?s.push(n.line([r,l])):n.here(r)?o.push(ue(n,r,l)):n.here(l)&&
o.push(ue(n,l,r))}n.add(L.polyline(s,n.on("ground",{color:e,weight:1.1})),"ground"),n.ways=o}function ue(n,t,e){let{color:s}=n.api,[o,i]=[n.metresOf(t),n.metresOf(
e)],r=Math.hypot(i[0]-o[0],i[1]-o[1])||1,[l,c]=[(i[0]-o[0])/r,(i[1]-o[1])/r],h=[];for(let p=.28;p<r;p+=.28){let[d,u]=[o[0]+l*p,o[1]+c*p];h.push([[u+l*.32,d-c*.32],
[u-l*.32,d+c*.32]])}return n.add(L.polyline([n.line([t,e])],n.on("ground",{color:s("node"),weight:1.1,dashArray:"3 3"})),"ground"),n.add(L.polyline(h,n.on("grou\
nd",{color:s("mute"),weight:1.4,lineCap:"butt"})),"ground"),{spot:n.spotOf(e),up:i[2]>o[2],floor:n.floorOf(e)??0}}function Xs(n){let{color:t}=n.api,e=n.on("grou\
nd",{radius:2.6,stroke:!1,fillColor:t("poi"),fillOpacity:1}),s=n.on("ground",{radius:3,color:t("poi"),weight:1.5,fillColor:t("ground"),fillOpacity:1});for(let o of me(
n))n.add(L.circleMarker(n.spotOf(o),n.stairs.has(o)?s:e),"ground")}function Js(n){if(!n.layers.shows("pois"))return;let t=n.on("ground",{radius:1.9,stroke:!1,fillColor:n.
api.color("mute"),fillOpacity:.7});for(let e of n.doc.pois)n.placeHere(e.at)&&n.add(L.circleMarker(n.spot(e.at),t),"ground")}var pt=3;function ge(n){return!!n.observation?.format.startsWith("panorama")||n.panels.some(t=>t.kind==="directions")}function ye(n,t,e){let{color:s}=n.api,o=n.
metresOf(t),i=de(e),r=(h,p)=>n.spot(Vt(o,h,p)),l=Array.from({length:10},(h,p)=>r(i*45-22.5+5*p,pt));n.add(L.polygon([n.spotOf(t),...l],n.on("step",{stroke:!1,fillColor:s(
"seen"),fillOpacity:.2})),"step"),n.add(L.circle(n.spotOf(t),{...n.on("step",{color:s("seen-ink"),weight:1,dashArray:"2 4",fill:!1}),radius:pt}),"step");let c=Array.
from({length:8},(h,p)=>[r(p*45+22.5,.55*pt),r(p*45+22.5,pt)]);n.add(L.polyline(c,n.on("step",{color:s("seen-ink"),weight:1,opacity:.5})),"step")}function we(n,t,e){
let s=typeof t.node=="number"?n.metresOf(t.node):null;return(t.observation?.pois??[]).flatMap(o=>{let i=/^(left|right) ([\d.]+)/.exec(o.direction??"");if(i&&e!==
void 0&&s&&o.distance_m!==void 0){let r=e+(i[1]==="left"?-1:1)*Number(i[2]);return[{...o,at:[...Vt(s,r,o.distance_m),s[2]]}]}return o.at&&!o.approximate?[{...o,
at:o.at}]:[]})}var Ys=Math.PI/4,Qs=1.04,[tn,en]=[.2,6],dt=(n,t)=>n[0]*t[0]+n[1]*t[1]+n[2]*t[2],ve=(n,t)=>[n[1]*t[2]-n[2]*t[1],n[2]*t[0]-n[0]*t[2],n[0]*t[1]-n[1]*t[0]],xe=n=>{let t=Math.
hypot(...n);return[n[0]/t,n[1]/t,n[2]/t]};function ke(n,t,e){let s=xe(t),o=xe(ve([0,0,1],s)),i=ve(s,o),r=Math.tan(Ys/2)/Qs,[l,c]=be(n,o,s,r*e),[h,p]=be(n,i,s,r),
d=Math.min(en,Math.max(tn,c,p)),u=f=>[0,1,2].map(y=>o[y]*l+i[y]*h+s[y]*f);return{eye:u(d),center:u(0)}}function be(n,t,e,s){let o=Math.max(...n.map(r=>dt(r,e)+dt(
r,t)/s)),i=Math.max(...n.map(r=>dt(r,e)-dt(r,t)/s));return[s*(o-i)/2,(o+i)/2]}function Y(n,t,e){let s=[];for(let o=t;o<e;o+=1){let{skill:i}=n[o],r=!!n[o].walk_back,l=s.at(-1);l&&l.skill===i&&l.back===r?l.to=o+1:s.push({skill:i,back:r,from:o,
to:o+1})}return s}var x=(n,t)=>t===void 0?void 0:n.skills?.[t]?.colour,Se=(n,t)=>n.skills?.find(e=>e.name===t)?.colour,ut=n=>[...new Set(n.flatMap(t=>t.skill===
void 0?[]:[t.skill]))].sort((t,e)=>t-e),Ut=(n,t)=>n.find(e=>e.sub_goal===t&&e.skill!==void 0)?.skill;var S={type:"scatter3d",hoverinfo:"skip",showlegend:!1},Me=.9,Le=36;function ft(n){let{at:t,ids:e}=n.nodes;return s=>typeof s=="number"&&s<e.length?t.slice(3*s,
3*s+3):null}function A(n){let t=n.filter(e=>e!==null);return{x:t.map(e=>e[0]),y:t.map(e=>e[1]),z:t.map(e=>e[2])}}function qt(n){let t={x:[],y:[],z:[]};for(let e of n){
let{x:s,y:o,z:i}=A(e);t.x.push(...s,null),t.y.push(...o,null),t.z.push(...i,null)}return t}function Te(n,t){let e=ft(n),s=n.reference.map(e),o=e(n.episode.goal)??
s.at(-1)??null,i=[e(n.episode.start),o],r=["Start","Goal"].filter((p,d)=>i[d]),l=[];for(let p=0;p<n.links.length;p+=2)l.push([e(n.links[p]),e(n.links[p+1])]);let c=[
"circle-open","diamond"].filter((p,d)=>i[d]),h=[t("ink"),t("reference")].filter((p,d)=>i[d]);return[...rn(n,t),{...S,name:"links",mode:"lines",...qt(l),line:{color:t(
"node"),width:1.6}},{...S,name:"viewpoints",mode:"markers",...A(n.nodes.ids.map((p,d)=>e(d))),hoverinfo:"none",marker:{size:3.4,color:nn(n,t),line:{width:0}}},{
...S,name:"reference",mode:"lines",...A(s),line:{color:t("reference"),width:7,dash:"dash"}},...on(o,n.episode.success_radius_m,t("reference")),{...S,name:"ends",
mode:"markers+text",...A(i),text:r,textposition:"top center",textfont:{color:t("ink"),size:13},marker:{size:6,symbol:c,color:h,line:{width:3,color:t("ink")}}},...an(
n,t)]}function Kt(n,t,e,s){let o=ft(n),i=(p,d)=>n.steps.slice(p,d).flatMap(u=>u.path.length?u.path:[u.node]).map(o),r=n.steps[e-1],l=o(e===0?n.episode.start:r?.
node),c=e===0?n.episode.start_heading_deg:r?.heading_deg,h=i(0,e);return[{...S,name:"ahead",mode:"lines",...A([h.at(-1)??null,...i(e,n.steps.length)]),line:{color:t(
"agent"),width:2,dash:"dot"}},{...S,name:"walked",mode:"lines",...A(h),line:{color:Xt(n,t,e),width:6}},{...S,name:"facing",mode:"lines",...A(sn(l,c)),line:{color:t(
"agent"),width:9}},{...S,name:"agent",mode:"markers",...A([l]),marker:{size:8,color:t("agent"),line:{width:2,color:t("paper")}}},{...S,name:"light",mode:"marker\
s",...A(s),marker:{size:11,color:t("lit"),opacity:.8}}]}function Xt(n,t,e){if(!n.skills)return t("agent");let s=ft(n);return n.steps.slice(0,e).flatMap(o=>(o.path.
length?o.path:[o.node]).filter(r=>s(r)!==null).map(()=>x(n,o.skill)??t("agent")))}function sn(n,t){if(!n||t===void 0)return[];let e=t*Math.PI/180;return[n,[n[0]+
Me*Math.sin(e),n[1]+Me*Math.cos(e),n[2]]]}function nn(n,t){let e=[t("mute"),t("poi"),t("landmark")];return(n.indoor?.floor_of??[]).map(s=>e[s%e.length])}function on(n,t,e){
if(!n)return[];let[s,o,i]=n,r=c=>Array.from({length:Le+1},(h,p)=>{let d=2*Math.PI*p/Le;return c(t*Math.cos(d),t*Math.sin(d))}),l=[r((c,h)=>[s+c,o+h,i]),r((c,h)=>[
s+c,o,i+h]),r((c,h)=>[s,o+c,i+h])];return[{...S,name:"goal sphere",mode:"lines",...qt(l),opacity:.55,line:{color:e,width:2}}]}function rn(n,t){let{rooms:e,floors:s}=n.
indoor??{rooms:[],floors:[]};if(!e.length)return[];let o={x:[],y:[],z:[],i:[],j:[],k:[]},i=[];for(let{box_m:[r,l,c,h],floor:p}of e){let d=o.x.length,u=s[p].level_m;
o.x.push(r,c,c,r),o.y.push(l,l,h,h),o.z.push(u,u,u,u),o.i.push(d,d),o.j.push(d+1,d+2),o.k.push(d+2,d+3),i.push([[r,l,u],[c,l,u],[c,h,u],[r,h,u],[r,l,u]])}return[
{type:"mesh3d",name:"rooms",...o,color:t("area-building"),opacity:.35,hoverinfo:"skip",showlegend:!1},{...S,name:"walls",mode:"lines",...qt(i),line:{color:t("mu\
te"),width:1.5}}]}function an(n,t){if(!n.compare)return[];let e=n.compare.steps.flatMap(s=>s.path.length?s.path:[s.node]).map(ft(n));return[{...S,name:"compared",
mode:"lines",...A(e),line:{color:t("other"),width:5,dash:"longdashdot"}}]}var ln=[-.22,-.78,.68],cn=40,$e=90,hn=900,Ae={displayModeBar:!1,responsive:!1,scrollZoom:!0},Z=class n{constructor(t,e,s,o){this.box=t,this.doc=e,this.api=s,this.
onPoint=o,this.step=0,this.ready=!1,this.gone=!1,this.busy=!1,this.stale=!1,this.asked=0,this.cost=0,this.lit=[],this.note=a("p",{class:"nv-nothing",text:"Loadi\
ng the 3-D scene …"}),this.plot=a("div",{class:"nv-plot"}),t.append(this.plot,this.note)}static possible(t){return!!(globalThis.Plotly||t.options.plotly)}static loading=null;static async load(t){
if(!globalThis.Plotly&&t&&(n.loading??=new Promise((e,s)=>{let o={load:()=>e(),error:()=>s(new Error("not reachable"))};document.head.append(a("script",{src:t,async:!0,
on:o}))}),await n.loading.catch(()=>{n.loading=null})),!globalThis.Plotly)throw new Error("plotly's script is not there");return globalThis.Plotly}async start(t){
this.step=t;try{this.plotly=await n.load(this.api.options.plotly)}catch{this.note.textContent="The 3-D scene is not there: plotly's script could not be loaded.";
return}if(!this.gone){if(await this.plotly.newPlot(this.plot,this.traces(),this.layout(),Ae),this.gone){this.plotly.purge(this.plot);return}this.note.remove(),this.
ready=!0,this.box.dataset.ready="true",this.plot.on("plotly_hover",e=>this.onPoint(Oe(e))),this.plot.on("plotly_unhover",()=>this.onPoint(null)),this.plot.on("p\
lotly_click",e=>{let s=Oe(e);s&&this.api.pick(s)}),this.resize(),this.step!==t&&this.later()}}traces(){let t=Te(this.doc,this.api.color);return this.moving=t.length,
[...t,...Kt(this.doc,this.api.color,this.step,this.lit)]}layout(){let t={visible:!1,showgrid:!1,zeroline:!1,showspikes:!1},e=this.api.color("ground"),s=this.edges(),
[o,i,r]=s.map(M=>({...t,range:M})),l=s.map(([M,J])=>J-M),c=Math.max(...l),[h,p,d]=l.map(M=>M/c),{clientWidth:u,clientHeight:f}=this.box,y=this.corners().map(M=>M.
map((J,ot)=>(J-(s[ot][0]+s[ot][1])/2)/c)),{eye:B,center:E}=ke(y,ln,(u||1)/(f||1)),R={x:0,y:0,z:1},j={eye:_e(B),center:_e(E),up:R,projection:{type:"perspective"}};
return{margin:{l:0,r:0,t:0,b:0},paper_bgcolor:e,showlegend:!1,uirevision:"stay",hovermode:"closest",width:u||300,height:f||300,scene:{aspectmode:"manual",aspectratio:{
x:h,y:p,z:d},xaxis:o,yaxis:i,zaxis:r,uirevision:"stay",bgcolor:e,camera:j}}}corners(){let{nodes:t,indoor:e}=this.doc,s=t.ids.map((o,i)=>t.at.slice(3*i,3*i+3));for(let{
box_m:o,floor:i}of e?.rooms??[]){let r=e?.floors[i].level_m??0;for(let l of[o[0],o[2]])for(let c of[o[1],o[3]])s.push([l,c,r])}return s.length?s:[[0,0,0]]}edges(){
let t=this.corners();return[0,1,2].map(e=>[Math.min(...t.map(s=>s[e]))-.4,Math.max(...t.map(s=>s[e]))+.4])}showStep(t){this.step=t,this.later()}highlight(t){this.
lit=t,this.later()}later(){this.stale=!0,this.ready&&(this.asked=performance.now(),!this.busy&&(this.busy=!0,this.follow()))}async follow(){for(;this.stale&&!this.
gone&&this.plotly;){await this.calm(),this.stale=!1;let t=performance.now();await this.draw(),this.cost=performance.now()-t}this.busy=!1}async calm(){await new Promise(
s=>requestAnimationFrame(()=>setTimeout(s,0)));let t=performance.now(),e=()=>performance.now()-this.asked>$e;for(;this.cost>cn&&!e()&&performance.now()-t<hn;)await new Promise(
s=>setTimeout(s,$e/3))}async draw(){let t=Kt(this.doc,this.api.color,this.step,this.lit),e=o=>t.map(i=>i[o]),s=t.map((o,i)=>(this.moving??0)+i);await this.plotly?.
restyle(this.plot,{x:e("x"),y:e("y"),z:e("z")},s),await this.recolour(t.findIndex(o=>o.name==="walked")),await new Promise(o=>requestAnimationFrame(()=>setTimeout(
o,0)))}async recolour(t){if(!this.doc.skills||!this.plotly||this.gone)return;let e=Xt(this.doc,this.api.color,this.step);await this.plotly.restyle(this.plot,{"l\
ine.color":[e]},[(this.moving??0)+t])}redraw(){if(!this.ready)return;let t=this.plot.layout.scene?.camera,e=this.layout();t&&Object.assign(e.scene,{camera:t}),this.
plotly?.react(this.plot,this.traces(),e,Ae)}update(t){this.doc=t,this.redraw()}resize(){let{clientWidth:t,clientHeight:e}=this.box;this.ready&&t>20&&this.plotly?.
relayout(this.plot,{width:t,height:e})}destroy(){this.gone=!0,this.ready&&this.plotly?.purge(this.plot)}},_e=([n,t,e])=>({x:n,y:t,z:e});function Oe({points:n}){
let t=n?.[0];return t?.data?.name==="viewpoints"?`n:${t.pointNumber}`:null}var Jt=4,N=n=>`stage-${n%Jt+1}`;function gt(n,t){return n.findIndex(({first:e,last:s})=>e!==void 0&&s!==void 0&&t>=e&&t<=s)}function Ee(n,t,e,s){let o=[0,...n.flatMap(
({first:i})=>i===void 0?[]:[i]),e];return s>0?o.find(i=>i>t):o.findLast(i=>i<t)}var mt=class{constructor(t,e){this.line=t,this.bands=a("div",{class:"nv-bands"}),
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
this.doc.stages.forEach(({first:e,last:s},o)=>{let i=e!==void 0&&s!==void 0&&t>=e&&t<=s;this.bandNodes[o].classList.toggle("nv-now",i)})}};function Ce(n,{tools:t,legend:e,credit:s,floors:o}){let i=Math.min(e?e[1]:n.y,s?s[1]:n.y),r=t?n.x-t[0]:0,l=o?o[2]:0,c=p=>Math.min(p+22,.3*n.x),h=p=>Math.min(p+22,
.3*n.y);return[c(l),h(0),c(r),h(n.y-i)]}var Pe=(n,t)=>n[0]<t[2]&&n[2]>t[0]&&n[1]<t[3]&&n[3]>t[1],pn=(n,t)=>n[0]>=t[0]&&n[1]>=t[1]&&n[2]<=t[2]&&n[3]<=t[3];function Re({at:[n,t],width:e,height:s,gap:o,within:i,
left:r,must:l},c,h){let p=s/2,d=[n+o,t-p,n+o+e,t+p],u=[n-o-e,t-p,n-o,t+p],f=[...r?[u,d]:[d,u],[n-e/2,t-o-s,n+e/2,t-o],[n-e/2,t+o,n+e/2,t+o+s]],y=f.filter(E=>pn(
E,i??h));return y.find(E=>!c.some(R=>Pe(E,R)))??(l?y[0]??f[0]:null)}function Ne(n,t,[e,s,o,i],r){let l=Math.min(8,(i-s)*.08);if(n>o-e-2*l||t>i-s-2*l)return null;
let c=[(e+o-n)/2,e+l,o-n-l],p=[s+l,i-t-l,(s+i-t)/2].flatMap(u=>c.map(f=>[f,u,f+n,u+t])),d=p.map(u=>r.filter(f=>Pe(u,f)).length);return p[d.indexOf(Math.min(...d))]}
function ze(n,t){let e=[];for(let s=0;s+1<n.length;s+=1){let[o,i]=[n[s],n[s+1]],r=Math.min(60,Math.max(1,Math.ceil(Math.hypot(i[0]-o[0],i[1]-o[1])/(2*t))));for(let l=0;l<=
r;l+=1){let c=o[0]+(i[0]-o[0])*l/r,h=o[1]+(i[1]-o[1])*l/r;e.push([c-t,h-t,c+t,h+t])}}return e}var dn=120,Be=32,un=90,fn=.86,mn=11,yt=class{constructor(t){this.view=t,this.tagGroup=L.layerGroup().addTo(t.map),this.nameGroup=L.layerGroup().addTo(t.map),this.
taken=[],this.said=[],this.waiting=void 0,this.type=null}forget(){this.type=null}tags(){let{view:t}=this;if(!(t.gone||!t.map.getSize().x)){this.tagGroup.clearLayers(),
this.taken=[...this.furniture(),...this.signs(),...this.paths()],this.said=[];for(let e of t.tags())this.set(e,this.tagGroup)}}soon(){clearTimeout(this.waiting),
this.waiting=setTimeout(()=>this.names(),dn)}names(){let{view:t}=this;if(t.gone||!t.map.getSize().x)return;this.tags(),this.nameGroup.clearLayers();let e=t.nameRoom();
for(let s of t.names()){if(e<=0)return;this.set(s,this.nameGroup)&&(e-=1)}}set({spot:t,text:e,look:s,gap:o=8,weight:i=500,size:r=fn,left:l,must:c,centred:h,within:p},d){
let{map:u}=this.view,f=u.latLngToContainerPoint(t),y=u.getSize();if(this.said.some(([Zt,Is])=>Zt===e&&Is.distanceTo(f)<un))return!1;let B=e.length>Be?`${e.slice(
0,Be-2).trimEnd()}…`:e,[E,R]=this.measure(B,i,r),j=p?.map(Zt=>u.latLngToContainerPoint(Zt)),M=j?[j[0].x,j[0].y,j[1].x,j[1].y]:void 0,J=[f.x,f.y],ot=[2,2,y.x-2,
y.y-2],it=M&&h?Ne(E,R,M,this.taken):Re({at:J,width:E,height:R,gap:o,within:M,left:l,must:c},this.taken,ot);if(!it)return!1;this.taken.push(it),this.said.push([e,
f]);let zs={left:`${it[0]-f.x}px`,top:`${it[1]-f.y}px`,width:`${E}px`,height:`${R}px`,"font-size":`${R/1.3}px`,"font-weight":String(i)},Bs=a("div",{class:`nv-ta\
g ${s}`,text:B,style:zs}),js=L.divIcon({html:Bs,className:"nv-tag-icon",iconSize:[0,0]});return d.addLayer(L.marker(t,{pane:"nv-labels",interactive:!1,keyboard:!1,
icon:js})),!0}measure(t,e,s){this.type??=this.readType();let o=Math.max(mn,this.type.px*s);return this.type.pen.font=`${e} ${o}px ${this.type.face}`,[Math.ceil(
this.type.pen.measureText(t).width)+4,o*1.3]}readType(){let t=getComputedStyle(this.view.box),e=document.createElement("canvas").getContext("2d");if(!e)throw new Error(
"this browser has no canvas");return{pen:e,px:Number.parseFloat(t.fontSize),face:t.fontFamily}}furniture(){let{view:t}=this,e=[t.tools,t.legend.box,t.credit,...t.
plan.querySelectorAll(".nv-floors, .leaflet-control-scale")],s=[];for(let o of e){let i=t.boxOf(o);i&&s.push([i[0]-3,i[1]-3,i[2]+3,i[3]+3])}return s}signs(){let{
view:t}=this,e=[],s=(i,r)=>{let l=t.map.latLngToContainerPoint(i);e.push([l.x-r,l.y-r,l.x+r,l.y+r])};for(let i of[t.groups.ends,t.groups.step])i.eachLayer(r=>{r instanceof
L.Marker&&s(r.getLatLng(),10)});let o=t.spotAt(t.standing);return o&&s(o,15),e}paths(){let{view:t}=this;return[t.doc.reference,t.walked].map(s=>t.line(s.filter(
o=>t.here(o)))).flatMap(s=>{let o=s.map(i=>t.map.latLngToContainerPoint(i));return ze(o.map(i=>[i.x,i.y]),5)})}keepFree(t){let{map:e}=this.view,s=e.getSize();for(let o of t){
let{x:i,y:r}=e.latLngToContainerPoint(o);i>0&&r>0&&i<s.x&&r<s.y&&this.taken.push([i-3,r-3,i+3,r+3])}}destroy(){clearTimeout(this.waiting)}};function wt(n){try{return JSON.parse(localStorage.getItem(`navviz.${n}`)??"null")}catch{return null}}function Q(n,t){try{localStorage.setItem(`navviz.${n}`,JSON.
stringify(t))}catch{}}var gn={reference:"Reference path",other:"Other run",candidates:"Candidates",seen:"Visible area",memory:"The agent's map",pois:"Places"},vt=class{constructor(t){
this.onChange=t,this.off=new Set;let e=wt("layers.off");if(Array.isArray(e))for(let s of e)this.off.add(String(s));this.list=a("div",{class:"nv-layer-list",hidden:!0}),
this.button=v("layers","Layers",()=>this.toggle(),{tool:"layers"})}shows(t){return!this.off.has(t)}offer(t){this.button.hidden=!t.length,this.list.replaceChildren(
...t.map(e=>this.row(e)))}row(t){let s=a("input",{type:"checkbox",data:{layer:t},on:{change:()=>this.set(t,s.checked)}});return s.checked=this.shows(t),a("label",
{},s,a("span",{text:gn[t]}))}set(t,e){e?this.off.delete(t):this.off.add(t),Q("layers.off",[...this.off]),this.onChange()}toggle(t=this.list.hidden!==!1){this.list.
hidden=!t,this.button.classList.toggle("nv-on",t)}};var xt=class{constructor(){this.box=a("div",{class:"nv-legend"}),this.said=""}show(t){let e=t.filter(o=>o!==null&&o!==!1&&o!==void 0),s=JSON.stringify(e);s!==this.
said&&(this.said=s,this.box.hidden=!e.length,this.box.replaceChildren(...e.map(([o,i,r])=>{let l=r?{"background-color":r}:{};return a("span",{},a("i",{class:`nv\
-key nv-key-${o}`,style:l}),i)})))}room(t){let e=[...this.box.childNodes],{said:s}=this,{hidden:o}=this.box;this.show(t);let{offsetLeft:i,offsetTop:r,offsetWidth:l,
offsetHeight:c}=this.box;return this.said=s,this.box.hidden=o,this.box.replaceChildren(...e),c?[i,r,i+l,r+c]:void 0}};var tt={explored:{color:"reference",opacity:.95,word:"explored"},seen:{color:"rejected",opacity:.9,word:"seen"},"pruned now":{color:"bad",dashArray:"3 3",opacity:.95,
word:"pruned now"},"pruned before":{color:"rejected",dashArray:"2 4",opacity:.45,word:"pruned before"}},yn=9,bt=n=>typeof n=="string"?`nv-place-${n.replaceAll(/[^a-z]+/g,
"-")}`:"";function Yt(n){let t=n?.panels.find(s=>s.kind==="graph"&&Array.isArray(s.data.states));return(Array.isArray(t?.data.nodes)?t.data.nodes:[]).filter(s=>typeof s?.
id=="string"&&typeof s.state=="string")}var je=n=>n.steps.some(t=>Yt(t).length>0),Ie=n=>new Set(n.steps.flatMap(t=>Yt(t).map(e=>e.state)).filter(t=>t in tt)),Fe=n=>Object.
keys(tt).filter(t=>n.has(t)).map(t=>[bt(t).replace("nv-",""),tt[t].word]);function De(n,t){let e=new Set,s=Yt(t);if(!s.length)return e;let o=new Map(n.doc.nodes.
ids.map((i,r)=>[i,r]));for(let{id:i,state:r}of s){let l=o.get(i),c=Object.hasOwn(tt,r)?tt[r]:void 0,h=n.spotAt(l);if(!c||!h||!n.here(l))continue;let{color:p,dashArray:d,
opacity:u}=c,f={radius:yn,color:n.api.color(p),weight:2.6,opacity:u,dashArray:d,fill:!1};n.add(L.circleMarker(h,n.on("step",f)),"step"),e.add(r)}return e}var wn=n=>n.replace(/[.*+?^${}()|[\]\\]/g,"\\$&"),b=n=>`s:${n.toLowerCase()}`,et=class{constructor(t){this.tokens=new Map(t.nodes.ids.map((e,s)=>[e,`n:${s}`])),
this.letters=new Map,this.baseLetters=new Map,this.names=new Set;for(let e of t.planning.landmarks)this.addName(e.name,e.letter);for(let e of t.steps)for(let s of e.
observation?.pois??[])this.addName(s.name);this.exact=new Set;for(let e of t.pois.slice(0,400))e.kind&&e.name.length>3&&!this.names.has(e.name)&&this.exact.add(
e.name);this.lower=new Set([...this.names].map(e=>e.toLowerCase())),this.pattern=this.makePattern()}addName(t,e){t&&(t.length>2&&this.names.add(t),e&&this.baseLetters.
set(e,b(t)))}makePattern(){let t=[...this.tokens.keys()].filter(o=>!/^[\w-]+$/.test(o)).slice(0,3e3),e=[...[...this.names].slice(0,400),...this.exact,...t].sort(
(o,i)=>i.length-o.length).map(wn),s=e.length?`(?<![\\p{L}\\p{N}])(${e.join("|")})(?![\\p{L}\\p{N}])`:"($^)";return new RegExp(`${s}|([\\w-]+)|["'\`(]([A-Z])["'\`)]`,
"giu")}setStep(t){this.letters=new Map(this.baseLetters);for(let e of t?.observation?.pois??[])e.letter&&this.letters.set(e.letter,b(e.name))}pieces(t){let e=[],
s=0;for(let o of t.matchAll(this.pattern)){let i=this.refOf(o,t);i&&(o.index>s&&e.push({text:t.slice(s,o.index),ref:null}),e.push({text:o[0],ref:i}),s=o.index+o[0].
length)}return s<t.length&&e.push({text:t.slice(s),ref:null}),e}refOf(t,e){if(t[1])return this.tokens.get(t[1])??(this.isName(t[1])?b(t[1]):null);if(t[3])return this.
letters.get(t[3])??null;let s=t[2],o=this.tokens.get(s)??null;return o&&/^\d{1,4}$/.test(s)&&!/["'`]/.test(e[(t.index??0)-1]??"")?null:o}isName(t){return this.exact.
has(t)||this.lower.has(t.toLowerCase())}letter(t){return/^[A-Z]$/.test(t)?this.letters.get(t):void 0}};var Qt=14,vn=10,kt=class{constructor(t){this.view=t,this.mouse=null,this.waiting=null,this.pointed=void 0,this.tip=a("div",{class:"nv-map-tip",hidden:!0}),t.plan.
append(this.tip),this.listen()}listen(){let{map:t}=this.view;t.on("mousemove",e=>{this.mouse=e,this.waiting??=requestAnimationFrame(()=>{this.waiting=null,this.
point()})}),t.on("mouseout",()=>{this.mouse=null,this.leave()}),t.on("movestart",()=>{this.tip.hidden=!0}),t.on("click",e=>{let s=this.nearest(e.containerPoint);
s&&this.view.api.pick(s.ref)})}point(){if(!this.mouse||this.view.gone)return;let t=this.nearest(this.mouse.containerPoint);if(t?.ref!==this.pointed){if(!t){this.
leave();return}this.pointed=t.ref,this.view.api.hover([t.ref]),this.view.highlight([t.ref]),this.showTip(t)}}leave(){!this.pointed&&this.tip.hidden||(this.pointed=
void 0,this.tip.hidden=!0,this.view.api.hover([]),this.view.highlight([]))}nearest(t){let{view:e}=this,s=e.map.containerPointToLatLng(t),o=e.map.containerPointToLatLng(
t.add([Qt,-Qt])),[i,r]=[Math.abs(o.lat-s.lat),Math.abs(o.lng-s.lng)],l=null,c=Qt,h=(d,u)=>{if(Math.abs(d[0]-s.lat)>i||Math.abs(d[1]-s.lng)>r)return;let f=e.map.
latLngToContainerPoint(d),y=f.distanceTo(t);y>=c||(c=y,l={...u,p:f})},p=e.doc.nodes.ids.length;for(let d=0;d<p;d+=1)e.here(d)&&h(e.spotOf(d),{ref:`n:${d}`,node:d});
c=Math.min(c,vn);for(let{at:d,...u}of e.shownPois())h(e.spot(d),{ref:b(u.name),poi:u});return l}showTip({ref:t,node:e,poi:s,p:o}){let{view:i}=this,r=s?[a("b",{text:s.
name}),s.kind??"",s.distance_m===void 0?"":`${s.distance_m.toFixed(1)} m away`]:[a("b",{class:"nv-id",text:ct(i.doc.nodes.ids[e??0])}),...i.nodeFacts(e??0)],l=i.
api.mentions(t);l&&r.push(`in the text ${l===1?"once":F(l,"time","times")}`),this.tip.replaceChildren(...r.filter(Boolean).map(h=>a("div",{},h))),this.tip.hidden=
!1;let c=i.map.getSize();this.tip.style.left=`${Math.min(o.x+16,c.x-this.tip.offsetWidth-8)}px`,this.tip.style.top=`${Math.max(8,Math.min(o.y+14,c.y-this.tip.offsetHeight-
8))}px`}destroy(){this.waiting!==null&&cancelAnimationFrame(this.waiting)}};function C(n,t,{text:e="",title:s="",ref:o,pane:i="nv-signs",raise:r=0}={}){let l=a("div",{class:`nv-sign ${t}`,title:s,data:o?{ref:o}:{}},a("span",{text:e})),c=L.
divIcon({html:l,className:"nv-sign-icon",iconSize:[22,22]});return L.marker(n,{icon:c,pane:i,keyboard:!1,interactive:!1,zIndexOffset:r})}var St=class{constructor(){
let t=g("svg",{viewBox:"-16 -16 32 32"},g("circle",{r:13}),g("path",{d:"M0-9 6.5 8 0 4.6-6.5 8z"}));this.arrow=a("div",{class:"nv-agent"}),this.pointed=0,this.arrow.
append(t);let e=L.divIcon({html:this.arrow,className:"nv-agent-icon",iconSize:[30,30]});this.marker=L.marker([0,0],{icon:e,pane:"markerPane",interactive:!1,keyboard:!1,
zIndexOffset:900})}place(t,e,s,o){if(!e){this.marker.remove();return}this.marker.setLatLng(e).addTo(t),this.arrow.classList.toggle("nv-no-heading",s===void 0),this.
arrow.classList.toggle("nv-elsewhere",o),this.pointed+=ht((s??0)-this.pointed),this.arrow.style.setProperty("--nv-heading",`${this.pointed}deg`)}remove(){this.marker.
remove()}};function _(n,t,e){let s=n[t];if(s.path.length)return s.path;if(s.node===void 0)return[];let o=t+1<n.length?n[t+1].node:e;return o===void 0||o===s.node?[s.node]:
[s.node,o]}function D(n,t,e,s){let o=[],i=[],r=e>0?_(n,e-1,t).at(-1):void 0;for(let l=e;l<s;l+=1){let c=new Set(n[l].jumps);_(n,l,t).forEach((h,p)=>{let d=h===r,
u=o.at(-1);(p>0?!c.has(p-1):d)&&u?d||u.push(h):(r!==void 0&&!d&&i.push([r,h]),o.push([h])),r=h})}return{lines:o.filter(l=>l.length>1),leaps:i}}function te(n){let t=new Map,
e=(s,o)=>{let i=t.get(s);i?i.add(o):t.set(s,new Set([o]))};for(let s=0;s<n.length;s+=2)e(n[s],n[s+1]),e(n[s+1],n[s]);return t}function He(n,t,e){let s=new Set(t),
o=new Map,i=new Map;for(let r of n)r.state!=="rejected"?o.set(r,r.state):s.has(r.node)?o.set(r,"way"):i.set(r.node,r),o.has(r)||o.set(r,"branch");for(let r of xn(
[...i.keys()],e)){let l=r.filter(h=>We(h,e).some(p=>s.has(p))),c=new Set(l.length?l:r.slice(0,1));for(let h of r){let p=i.get(h);p&&!c.has(h)&&o.set(p,"beyond")}}
return o}var We=(n,t)=>typeof n=="number"?[...t.get(n)??[]]:[];function xn(n,t){let e=new Set(n),s=[];for(let o of n){if(!e.delete(o))continue;let i=[o];for(let r of i)
for(let l of We(r,t))e.delete(l)&&i.push(l);s.push(i)}return s}function Ge(n,t){let e={leaps:bn(n)};if(!t)return e;let s=_(n.doc.steps,n.step-1,n.end);if(t.observation&&n.layers.shows("seen")&&(e.seen=Sn(n,t.observation)),n.
drawAround(t),n.layers.shows("memory")&&(e.memory=De(n,t)),n.layers.shows("candidates")&&Object.assign(e,Mn(n,t,s)),$n(n,s),n.layers.shows("pois"))for(let i of n.
seen())An(n,i);let o=t.decision?.legal===!1?n.spotAt(t.decision.target):null;return o&&n.here(t.decision?.target)&&n.add(C(o,"nv-sign-bad",{title:"Illegal decis\
ion",pane:"nv-chosen"}),"step"),e}function bn(n){let{doc:t,step:e,end:s}=n,{color:o}=n.api,i=D(t.steps,s,0,e);for(let r of Y(t.steps,e,t.steps.length)){let{lines:l}=D(
t.steps,s,r.from,r.to),c=x(t,r.skill)??o("agent");n.drawWay(l,{color:c,weight:2,opacity:.75,dashArray:"1 6"},"step","paths")}t.stages.length&&kn(n);for(let r of t.
stages.length?[]:Y(t.steps,0,e)){let{lines:l}=D(t.steps,s,r.from,r.to),c=x(t,r.skill)??o("agent"),h=r.back?"7 6":void 0;n.drawWay(l,{color:c,weight:4,lineJoin:"\
round",dashArray:h},"step","paths")}return n.drawWay(i.leaps,{color:o("bad"),weight:2.5,dashArray:"2 7"},"step","paths"),i.leaps.length>0}function kn(n){let{doc:t,
step:e,end:s}=n;t.stages.forEach(({first:o,last:i},r)=>{if(o===void 0||i===void 0||o>e)return;let{lines:l}=D(t.steps,s,o-1,Math.min(i,e)),c=n.api.color(N(r));n.
drawWay(l,{color:c,weight:4,lineJoin:"round"},"step","paths")})}function Sn(n,t){let{color:e}=n.api,s=new Set(t.visible.filter(r=>typeof r=="number"));if(!s.size)
return!1;let o=[];for(let r of s)for(let l of n.near.get(r)??[])r<l&&s.has(l)&&o.push(n.line([r,l]));n.add(L.polyline(o,n.on("step",{color:e("seen"),weight:20,opacity:.34,
smoothFactor:0,lineCap:"round"})),"step");let i=n.on("step",{radius:2,stroke:!1,fillColor:e("seen-ink"),fillOpacity:.9});for(let r of n.line([...s]))n.add(L.circleMarker(
r,i),"step");return!0}function Mn(n,t,e){let s=n.candidates(t),o=s.find(l=>l.state==="chosen"),i=He(s,[...e,...t.node===void 0?[]:[t.node],...o?[o.node,...o.path??
[]]:[]],n.near),r=new Set;for(let[l,c]of i){let h=n.spotAt(l.node);l.path&&l.path.length>1&&l.state!=="chosen"&&Ln(n,l),!(!h||!n.here(l.node))&&(r.add(c),Tn(n,l,
c,h))}return{chosen:r.has("chosen"),rejected:r.has("branch"),offered:r.has("offered")}}function Ln(n,t){let e=t.state==="rejected",s={color:n.api.color(e?"rejec\
ted":"offered"),weight:2,opacity:.85,dashArray:e?"2 4":void 0};n.drawWay([t.path??[]],s,"step","step")}function Tn(n,t,e,s){let{color:o}=n.api,i=[t.state,t.label,
t.reason].filter(Boolean).join(" · ");if(e==="chosen")n.add(C(s,"nv-cand nv-cand-chosen",{title:i,pane:"nv-chosen"}),"step");else if(e==="branch")n.add(C(s,"nv\
-cand nv-cand-rejected",{title:i}),"step");else if(e==="offered"){let r={radius:5,color:o("offered"),weight:2.2,fillColor:o("ground"),fillOpacity:1};n.add(L.circleMarker(
s,n.on("step",r)),"step")}else{let r={radius:2.6,stroke:!1,fillColor:o("rejected"),fillOpacity:.95};n.add(L.circleMarker(s,n.on("step",r)),"step")}}function $n(n,t){
if(t.length<2)return;let{color:e}=n.api,s=n.doc.steps[n.step-1],o=gt(n.doc.stages,n.step),i=e(o<0?"agent":N(o)),r=o<0?x(n.doc,s?.skill)??i:i,l=s?.walk_back?"9 7":
void 0;n.drawWay([t],{color:e("ground"),weight:9,opacity:.95},"step","move"),n.drawWay([t],{color:r,weight:5.5,dashArray:l},"step","move");let c=n.spotAt(t.at(-1));
!c||!n.here(t.at(-1))||n.add(L.circleMarker(c,n.on("move",{radius:6.5,color:r,weight:3,fillColor:e("ground"),fillOpacity:1})),"step")}function An(n,t){if(!n.placeHere(
t.at))return;let e=n.spot(t.at),s=n.spotAt(t.node);s&&!t.approximate&&n.add(L.polyline([s,e],n.on("step",{color:n.api.color("landmark"),weight:1.4,opacity:.9,dashArray:"\
1 4"})),"step");let o=[t.name,t.position??t.direction,t.distance_m===void 0?null:k(t.distance_m),t.approximate?"shown at its node":null],i=t.letter?"nv-sign-let\
ter":"nv-sign-object";n.add(C(e,i,{text:t.letter??"",title:o.filter(Boolean).join(" · "),ref:b(t.name)}),"step")}var _n=[["ground",210],["paths",410],["step",420],["light",430],["move",580]],On=["ground","paths","ends","step","light"],En={"nv-signs":560,"nv-chosen":610,"nv\
-labels":650},Cn=1.5,Pn=.4,V=class{constructor(t,e,s,o){this.api=s,this.box=t,this.doc=e,this.step=0,this.gone=!1,this.moved=!1,this.lit=[],this.canvas=a("div",
{class:"nv-leaflet"}),this.plan=a("div",{class:"nv-plan-view"},this.canvas),t.append(this.plan),this.credit=a("div",{class:"nv-credit"}),this.legend=new xt,this.
layers=new vt(()=>this.onLayers()),this.map=L.map(this.canvas,{zoomControl:!1,attributionControl:!1,keyboard:!1,preferCanvas:!0,boxZoom:!1,wheelPxPerZoomLevel:110,
...o}),this.sheets=this.makeSheets(),this.groups=Object.fromEntries(On.map(i=>[i,L.layerGroup().addTo(this.map)])),this.agent=new St,this.tools=a("div",{class:"\
nv-tools"},this.makeTools()),this.plan.append(this.credit,this.legend.box,this.tools,this.layers.list),L.control.scale({imperial:!1,position:"bottomright",maxWidth:90}).
addTo(this.map),this.near=te(e.links),this.labels=new yt(this),this.pointer=new kt(this),this.map.setView(this.spotAt(0)??[0,0],1,{animate:!1}),this.listen()}makeSheets(){
let t={};for(let[e,s]of _n){let o=this.map.createPane(`nv-${e}`);o.style.zIndex=String(s),o.style.pointerEvents="none",t[e]=L.canvas({pane:`nv-${e}`,padding:Pn});
let i=t[e],r=i._redraw;i._redraw=()=>{i._ctx&&r.call(i)}}for(let[e,s]of Object.entries(En))this.map.createPane(e).style.zIndex=String(s);return t}listen(){this.
map.on("dragstart",()=>this.take());for(let t of["wheel","dblclick"])this.canvas.addEventListener(t,()=>this.take(),{passive:!0});this.map.on("zoomend",()=>this.
restyle()),this.map.on("moveend",()=>this.labels.soon()),this.map.on("zoomend",()=>this.labels.tags())}take(){this.moved=!0}spot(t){return[t[0],t[1]]}spotOf(t){
return[this.doc.nodes.at[2*t],this.doc.nodes.at[2*t+1]]}spotAt(t){return typeof t=="number"&&t>=0&&t<this.doc.nodes.ids.length?this.spotOf(t):null}line(t){return t.
map(e=>this.spotAt(e)).filter(e=>e!==null)}at(t){return this.spotAt(t)}here(t){return!0}placeHere(t){return!0}candidates(t){return t.observation?.candidates??[]}get goal(){
let{episode:t,reference:e}=this.doc;return t.goal??e.at(-1)}get start(){let{episode:t,reference:e}=this.doc;return typeof t.start=="number"?t.start:e[0]}get end(){
return this.doc.end?.node}get standing(){return this.step===0?this.doc.episode.start:this.doc.steps[this.step-1]?.node}get walked(){return this.doc.steps.flatMap(
(t,e)=>_(this.doc.steps,e,this.end))}shownPois(){return[...this.layers.shows("pois")?this.doc.pois:[],...this.seen()]}seen(){return(this.doc.steps[this.step-1]?.
observation?.pois??[]).flatMap(e=>e.at?[{...e,at:e.at}]:[])}wanted(){let{doc:t}=this,e=(t.compare?.steps??[]).flatMap(r=>[r.node,...r.path]),s=t.episode.tasks.flatMap(
r=>r.goals),o=[...t.reference,...this.walked,this.start,this.goal,...s,...e],i=this.line(o);return i.length?i:this.line(t.nodes.ids.map((r,l)=>l))}furniture(){return{
tools:this.boxOf(this.tools),legend:this.legend.room(this.allEntries()),credit:this.boxOf(this.credit)}}boxOf(t){let e=this.plan.getBoundingClientRect(),s=t?.getBoundingClientRect();
if(!(!s?.height||s.left>=e.right))return[s.left-e.left,s.top-e.top,s.right-e.left,s.bottom-e.top]}drawAround(t){}fit(t=!0){this.moved=!1;let e=this.wanted(),s=this.
map.getSize();if(!e.length||!s.x||!s.y)return;let[o,i,r,l]=Ce(s,this.furniture()),c=L.latLngBounds(e),h=this.map.getBoundsZoom(c,!1,L.point(o+r,i+l)),p=this.map.
getMaxZoom();this.map.options.minZoom=Math.min(h,this.closest())-Cn,this.map.fitBounds(c,{paddingTopLeft:[o,i],paddingBottomRight:[r,l],maxZoom:Math.min(this.closest(),
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
n-target nv-sign-target-${e%Jt+1}`,{text:String(e+1),title:i,pane:"markerPane",raise:-50}),"ends").getElement()?.setAttribute("data-target",String(e+1))}there(){
let{doc:t}=this,e=t.steps.map(o=>o.observation).filter(o=>o!==void 0);return[["reference",t.reference.length>0],["other",!!t.compare],["candidates",e.some(o=>o.
candidates.length>0)],["seen",e.some(o=>o.visible.length>0)],["memory",je(t)],["pois",t.pois.length>0]].filter(([,o])=>o).map(([o])=>o)}allEntries(){let t=this.
there(),e=o=>t.includes(o)&&this.layers.shows(o),s=new Set(this.doc.steps.flatMap(o=>(o.observation?.candidates??[]).map(i=>i.state)));return this.entries({other:e(
"other"),seen:e("seen"),leaps:this.doc.steps.some(o=>o.jumps?.length),chosen:e("candidates")&&s.has("chosen"),rejected:e("candidates")&&s.has("rejected"),offered:e(
"candidates")&&s.has("offered"),memory:e("memory")?Ie(this.doc):void 0})}entries({other:t,seen:e,leaps:s,chosen:o,rejected:i,offered:r,memory:l}){let{doc:c}=this;
return[c.reference.length>0&&this.layers.shows("reference")&&["reference","reference path"],...this.walkEntries(),t&&c.compare&&["other",c.compare.label],e&&["s\
een","visible area"],o&&["chosen","chosen"],i&&["rejected","not taken"],r&&["offered",this.offeredWord()],...l?Fe(l):[],s&&["jump","jump"]]}walkEntries(){let{doc:t}=this;
if(!t.steps.length)return[];let e=ut(t.steps);return!t.skills||!e.length?[["agent","agent"]]:[...e.map(s=>["skill",t.skills?.[s].short??"",x(t,s)]),t.steps.some(
s=>s.walk_back)&&["back","back to the best stop"]]}offeredWord(){return"offered"}onLayers(){this.draw(),this.moved||this.fit(!1)}showStep(t){this.step=t,this.paint()}paint(){
let{doc:t,step:e}=this;this.groups.step.clearLayers(),this.groups.light.clearLayers();let s=Ge(this,t.steps[e-1]);this.legend.show(this.entries({...s,other:!!t.
compare&&this.layers.shows("other")})),this.placeAgent();let o=e<t.steps.length;this.stopSign?.getElement()?.classList.toggle("nv-later",o),this.stopSign?.setZIndexOffset(
o?-100:950),this.startSign?.getElement()?.classList.toggle("nv-under",this.standing===this.start),this.follow(t.steps[e-1]),this.lit.length&&this.pointer.view.highlight(
this.lit),this.labels.tags(),this.labels.soon()}placeAgent(){let t=this.standing;this.agent.place(this.map,this.spotAt(t),this.heading(),!this.here(t))}heading(){
let{doc:t,step:e}=this;return e===0?t.episode.start_heading_deg:t.steps[e-1]?.heading_deg}follow(t){let e=this.line(t?_(this.doc.steps,this.step-1,this.end):[this.
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
highlight([t])}nearZoom(){return 17.5}nodeFacts(t){return[]}makeTools(){let t=e=>()=>{this.take(),e>0?this.map.zoomIn():this.map.zoomOut()};return[v("closer","C\
loser",t(1),{tool:"in"}),v("farther","Farther",t(-1),{tool:"out"}),v("whole","The whole route",()=>this.fit(),{tool:"fit"}),this.layers.button]}update(t){let e=this.
doc,s=t.episode.id!==e.episode.id||t.world!==e.world;this.doc=t,this.near=te(t.links),this.adopt(),this.step=Math.min(this.step,t.steps.length),!s&&t.nodes.ids.
length===e.nodes.ids.length&&t.streets.length===e.streets.length?this.drawWays():this.draw(),(s||!this.moved)&&this.fit(!1)}adopt(){}drawWays(){this.groups.paths.
clearLayers(),this.groups.ends.clearLayers(),this.drawPaths(),this.drawEnds(),this.layers.offer(this.there())}setTheme(){this.draw()}destroy(){this.gone=!0,this.
labels.destroy(),this.pointer.destroy(),this.map.remove()}};var Rn=560,Mt=2.5,Nn=14,zn=22,Bn=.6,Ze={floors:[{name:"Floor 1",level_m:0}],floor_of:[],stairs:[],rooms:[],doors:[],outlines:[]},Lt=class extends V{constructor(t,e,s){
super(t,e,s,{crs:L.CRS.Simple,zoomSnap:0,zoomDelta:.5,minZoom:-5,maxZoom:8.6}),this.plan.classList.add("nv-floorplan"),this.solid=a("div",{class:"nv-scene"}),t.
classList.add("nv-indoor"),this.floorBox=a("div",{class:"nv-floors",role:"group","aria-label":"Floors"}),this.plan.append(this.floorBox),t.append(this.solid,this.
tools,this.layers.list),this.scene=null,this.floorButtons=[],this.house=Ze,this.stairs=new Set,this.ways=[],this.floor=0,this.adopt(),this.floor=this.floorOf(e.
episode.start)??0,this.markFloor(),this.mode="plan",this.setMode(Z.possible(this.api)&&t.clientWidth>Rn?"both":"plan"),this.draw(),this.fit(!1)}adopt(){this.house=
this.doc.indoor??Ze,this.stairs=new Set(this.house.stairs),this.makeFloors()}spot(t){return[t[1],t[0]]}spotOf(t){let{at:e}=this.doc.nodes;return[e[3*t+1],e[3*t]]}metresOf(t){
return this.doc.nodes.at.slice(3*t,3*t+3)}floorOf(t){return typeof t=="number"?this.house.floor_of[t]??0:null}floorAt(t){let e=this.house.floors.map(({level_m:s})=>{
let o=t[2]-s;return o>-Bn?o:100-o});return e.indexOf(Math.min(...e))}here(t){return this.floorOf(t)===this.floor}placeHere(t){return this.floorAt(t)===this.floor}refHere(t,e){
return t.startsWith("n:")?this.here(Number(t.slice(2))):this.placeHere(e)}get scale(){return 2**this.map.getZoom()}makeFloors(){let{floors:t}=this.house;this.floorBox.
hidden=t.length<2,this.floorButtons=t.map(({name:e,level_m:s},o)=>{let i={mousedown:T,click:()=>this.setFloor(o)};return a("button",{type:"button",class:"nv-flo\
or",data:{floor:o},text:e,title:`${e}, ${k(s)}`,on:i})}),this.floorBox.replaceChildren(...[...this.floorButtons].reverse()),this.markFloor()}setFloor(t){t!==null&&
(this.floor=Math.max(0,Math.min(this.house.floors.length-1,t)),this.markFloor(),this.draw())}markFloor(){this.plan.dataset.floor=String(this.floor);for(let[t,e]of this.
floorButtons.entries())e.setAttribute("aria-pressed",String(t===this.floor))}setMode(t){this.mode=t,this.box.dataset.mode=t;for(let[e,s]of Object.entries(this.modeButtons??
{}))s.classList.toggle("nv-on",e===t);t==="plan"||this.scene||(this.scene=new Z(this.solid,this.doc,this.api,e=>this.pointAt(e)),this.scene.start(this.step))}makeTools(){
let t=(e,s)=>v(e,s,()=>{this.setMode(e),this.resize()},{tool:e});return this.modeButtons={plan:t("plan","Floor plan"),both:t("both","Plan and 3-D scene"),scene:t(
"scene","3-D scene")},[...super.makeTools(),...Z.possible(this.api)?Object.values(this.modeButtons):[]]}wanted(){let t=super.wanted(),e=this.house.rooms.flatMap(
({box_m:[p,d,u,f]})=>[[d,p],[f,u]]),s=L.latLngBounds([...this.line(this.doc.nodes.ids.map((p,d)=>d)),...e]),o=L.latLngBounds(t),i=(p,d,u)=>Math.max(d,Math.min(u,
p)),[r,l,c,h]=[s.getSouth(),s.getWest(),s.getNorth(),s.getEast()];return[[i(o.getSouth()-Mt,r,c),i(o.getWest()-Mt,l,h)],[i(o.getNorth()+Mt,r,c),i(o.getEast()+Mt,
l,h)]]}furniture(){return{...super.furniture(),floors:this.boxOf(this.floorBox)}}closest(){return Math.log2(110)}nearZoom(){return Math.log2(45)}resize(){super.
resize(),this.scene?.resize()}drawGround(){this.scaled=fe(this)}restyle(){for(let{layer:t,width_m:e,least:s}of this.scaled??[])t.setStyle({weight:Math.max(s,e*this.
scale)})}drawAround(t){let e=this.heading();typeof t.node=="number"&&this.here(t.node)&&e!==void 0&&ge(t)&&ye(this,t.node,e)}showStep(t){this.step=t,this.plan.dataset.
node=String(this.standing??""),this.scene?.showStep(t);let e=this.floorOf(this.standing);e!==null&&e!==this.floor?this.setFloor(e):this.paint()}seen(){let t=this.
doc.steps[this.step-1];return t?we(this,t,this.heading()):[]}candidates(t){let e=super.candidates(t);if(e.length||typeof t.node!="number")return e;let s=this.metresOf(
t.node),o=this.heading();return[...this.near.get(t.node)??[]].map(i=>{let r=this.metresOf(i),l=o===void 0?{}:{angle_deg:ht(pe(s,r)-o)},c=i===t.decision?.target?
"chosen":"offered";return{node:i,state:c,distance_m:Math.hypot(...r.map((h,p)=>h-s[p])),...l}})}offeredWord(){return"navigable"}tags(){let t=this.standing,e=this.
spotAt(t),s=this.floorOf(t),i=e&&s!==null&&s!==this.floor?[{spot:e,text:`agent: ${this.house.floors[s].name}`,look:"nv-tag-stop",gap:14,weight:650,must:!0}]:[];
return[...this.roomTags(),...this.endTags(),...i,...this.candidateTags(),...this.seenTags(),...this.stairTags()]}roomTags(){return this.house.rooms.filter(t=>t.
floor===this.floor&&t.name).map(({name:t,box_m:[e,s,o,i]})=>({spot:[(s+i)/2,(e+o)/2],text:t,look:"nv-tag-room",weight:650,centred:!0,within:[[i,e],[s,o]]}))}candidateTags(){
let t=this.doc.steps[this.step-1];return!t||this.scale<Nn||!this.layers.shows("candidates")?[]:this.candidates(t).flatMap(e=>{let s=this.spotAt(e.node),o=this.angleWords(
e);return s&&o&&this.here(e.node)?[{spot:s,text:o,look:`nv-tag-${e.state}`,gap:10,weight:600}]:[]})}seenTags(){return super.seenTags().map(t=>({...t,text:t.text.
replace(/_\d+$/,"")}))}stairTags(){return this.ways.map(({spot:t,up:e,floor:s})=>({spot:t,text:`${e?"↑":"↓"} ${this.house.floors[s].name}`,look:"nv-tag-name",
weight:600,gap:6}))}*names(){if(!(this.scale<zn||!this.layers.shows("pois")))for(let t of this.doc.pois)this.placeHere(t.at)&&(yield{spot:this.spot(t.at),text:t.
name,look:"nv-tag-name",gap:5,size:.78,within:this.roomAround(t.at)})}roomAround([t,e]){let s=this.house.rooms.find(({floor:c,box_m:[h,p,d,u]})=>c===this.floor&&
t>=h&&t<=d&&e>=p&&e<=u);if(!s)return;let[o,i,r,l]=s.box_m;return[[l,o],[i,r]]}angleWords(t){let{angle_deg:e,distance_m:s}=t;return[e===void 0?null:Math.abs(e)<.5?
"ahead":`${e<0?"left":"right"} ${Math.abs(e).toFixed(0)}°`,s===void 0?null:k(s),typeof t.node=="number"&&!this.here(t.node)?"other floor":null].filter(Boolean).
join(", ")}highlight(t){super.highlight(t),this.plan.dataset.lit=t.join(" "),this.scene?.highlight(t.flatMap(e=>this.api.resolve(e,this.step).at))}panTo(t){let[
e]=this.api.resolve(t,this.step).at;if(!e)return;let s=t.startsWith("n:")?this.floorOf(Number(t.slice(2))):this.floorAt(e);s!==this.floor&&this.setFloor(s),super.
panTo(t)}pointAt(t){this.api.hover(t?[t]:[]),this.highlight(t?[t]:[])}nodeFacts(t){let e=this.doc.steps[this.step-1],s=e?this.candidates(e).find(i=>i.node===t):
void 0,o=this.house.floors[this.floorOf(t)??0];return[this.stairs.has(t)?"on the stairs":o?.name??"",s?this.angleWords(s):""]}update(t){super.update(t),this.scene?.
update(t)}setTheme(){super.setTheme(),this.scene?.redraw()}destroy(){this.scene?.destroy(),super.destroy()}};var jn="© OpenStreetMap contributors",In="https://tile.openstreetmap.org/{z}/{x}/{y}.png",Fn=15.5,Dn=16.5,Hn=16.25,Wn=18,Tt=class extends V{constructor(t,e,s){
super(t,e,s,{zoomSnap:.25,zoomDelta:.5,maxZoom:20.5,minZoom:1}),this.close=!1,this.tiles=null,this.draw(),this.fit(!1)}drawGround(){let{color:t}=this.api,e=i=>this.
on("ground",{smoothFactor:.6,...i});for(let i of this.doc.backdrop){let r=i.rings.map(Ve),l=t(`area-${i.kind}`)||t("area");i.line?this.add(L.polyline(r,e({color:l,
weight:2})),"ground"):this.add(L.polygon(r,e({color:l,weight:.6,fillColor:l,fillOpacity:1})),"ground")}let s=this.doc.streets.map(Ve);this.casing=this.add(L.polyline(
s,e({color:t("street-edge"),lineCap:"round"})),"ground"),this.streets=this.add(L.polyline(s,e({color:t("street"),lineCap:"round"})),"ground");let o=e({radius:1.8,
stroke:!1,fillColor:t("node"),fillOpacity:1});this.crossings=this.line(this.doc.nodes.crossings).map(i=>this.add(L.circleMarker(i,o),"ground")),this.dots=this.doc.
pois.map(i=>{let r={radius:3,weight:1,color:t("ground"),fillColor:t(i.light?"light":"poi"),fillOpacity:1};return this.add(L.circleMarker(this.spot(i.at),e(r)),"\
ground")})}restyle(){let t=this.map.getZoom(),e=Math.max(1.6,Math.min(16,1.5*1.75**(t-14.4)));this.casing?.setStyle({weight:e+1.6}),this.streets?.setStyle({weight:e});
for(let o of this.crossings??[])o.setStyle({fillOpacity:t>=Dn?1:0});let s=t>=Fn&&this.layers.shows("pois")?1:0;this.dots?.forEach((o,i)=>{let r=(this.doc.pois[i].
light?2:3)+Math.max(0,t-17);o.setStyle({fillOpacity:s,opacity:s}).setRadius(r)})}*names(){let t=this.map.getZoom();if(t<Hn||!this.layers.shows("pois"))return;this.
labels.keepFree(this.doc.pois.map(s=>this.spot(s.at)));let e=new Set(this.seen().map(s=>b(s.name)));for(let s of this.doc.pois)s.light||!s.kind&&t<Wn||e.has(b(s.
name))||(yield{spot:this.spot(s.at),text:s.name,look:"nv-tag-name",gap:6,size:.8})}heading(){return super.heading()??this.bearing()}bearing(){if(this.step===0)return;
let[t,e]=this.line(_(this.doc.steps,this.step-1,this.end));if(!(!t||!e||t[0]===e[0]&&t[1]===e[1]))return Math.atan2((e[1]-t[1])*Math.cos(t[0]*Math.PI/180),e[0]-
t[0])*180/Math.PI}follow(t){if(!this.close||!t){super.follow(t);return}let e=this.line([..._(this.doc.steps,this.step-1,this.end),...t.observation?.visible??[]]);
e.length&&this.map.fitBounds(L.latLngBounds(e).pad(.15),{padding:[40,40],maxZoom:18.5,duration:.3})}nodeFacts(t){let e=new Set(this.seen().filter(s=>s.node===t).
map(s=>s.name));return[this.doc.nodes.crossings.includes(t)?"intersection":"street node",e.size?`landmarks here: ${[...e].join(", ")}`:""]}makeTools(){return this.
closeButton=v("close","Stay close to the agent",()=>this.toggleClose(),{tool:"close"}),this.tileButton=v("tiles","Map tiles from openstreetmap.org (needs the ne\
twork)",()=>this.toggleTiles(),{tool:"tiles"}),[...super.makeTools(),this.closeButton,this.tileButton]}toggleClose(){if(this.close=!this.close,this.closeButton?.
classList.toggle("nv-on",this.close),!this.close){this.fit();return}this.take(),this.follow(this.doc.steps[this.step-1])}toggleTiles(){this.tiles?(this.tiles.remove(),
this.tiles=null):this.tiles=L.tileLayer(In,{maxNativeZoom:19,maxZoom:21,opacity:.85}).addTo(this.map),this.tileButton?.classList.toggle("nv-on",this.tiles!==null),
this.box.classList.toggle("nv-with-tiles",this.tiles!==null),this.drawCredit()}drawCredit(){let t=[this.doc.graph.attribution,this.tiles?jn:null].filter(Boolean);
this.credit.textContent=[...new Set(t)].join(" · ")}};function Ve(n){let t=[];for(let e=0;e<n.length;e+=2)t.push([n[e],n[e+1]]);return t}var U=3e4,Gn=14;function $(n,t){let e=t.startsWith("n:")&&n.length>Gn,s={class:e?"nv-ref nv-id nv-cut":"nv-ref",text:n,data:{ref:t},tabindex:-1};return a("span",
e?{...s,title:n}:s)}function ee(n,t,e){let s=a("button",{type:"button",class:"nv-more",text:`Show ${w(t)} more characters`,on:{click:()=>s.replaceWith(e())}});return n.
append(" … ",s),n}function m(n,t){let e=document.createDocumentFragment();for(let s of n.pieces(t.slice(0,U)))e.append(s.ref?$(s.text,s.ref):s.text);return t.
length>U&&ee(e,t.length-U,()=>m(n,t.slice(U))),e}function $t(n,t){if(!t)return;let e=t.offsetTop-n.offsetTop,s=e+t.offsetHeight;e<n.scrollTop?n.scrollTop=e:s>n.
scrollTop+n.clientHeight&&(n.scrollTop=s-n.clientHeight)}var Ue={entries:8,chars:120};function qe(n){try{return{value:JSON.parse(n)}}catch{return null}}function H(n,t,e,s="$",o=0){if(n===null||typeof n!="object")return Xe(
n,t);let i=Array.isArray(n),r=i?n.map((u,f)=>[String(f),u]):Object.entries(n);if(!r.length)return a("span",{class:"nv-j-mute",text:i?"[]":"{}"});if(Zn(n,r))return Vn(
i,r,t);let l=e.get(s)??o<2,c=r.slice(0,4).map(([u])=>u),h=a("div",{class:"nv-j-body"}),p=()=>{if(!h.childElementCount)for(let[u,f]of r){let y=`${s}.${i?"*":u}`;
h.append(a("div",{class:"nv-j-row"},Ke(u,t),H(f,t,e,y,o+1)))}};l&&p();let d=a("summary",{class:"nv-j-mute",text:i?`${r.length} items`:c.join(", ")});return rt({
class:"nv-j"},d,h,l,u=>{e.set(s,u),u&&p()})}function Ke(n,t){let e=t.letter(n)??t.tokens.get(n);return a("span",{class:"nv-j-key"},e?$(n,e):n)}var Zn=(n,t)=>t.length<=
Ue.entries&&t.every(([,e])=>e===null||typeof e!="object")&&JSON.stringify(n).length<=Ue.chars;function Vn(n,t,e){let s=a("span",{class:"nv-j-short"});return t.forEach(
([o,i],r)=>{r&&s.append("  "),n||s.append(Ke(o,e)," "),s.append(Xe(i,e))}),s}function Xe(n,t){if(n==="")return a("span",{class:"nv-j-mute",text:'""'});if(typeof n!=
"string")return a("span",{class:"nv-j-num",text:String(n)});let e=t.letter(n)??t.tokens.get(n);return a("span",{class:"nv-j-str"},e?$(n,e):m(t,n))}function Je({doc:n,step:t,go:e}){if(!n.skills)return null;let s=n.steps.map((i,r)=>{let l=i.skill===void 0?"no skill":n.skills?.[i.skill]?.name;return a("button",
{type:"button",class:r+1===t?"nv-skill-block nv-current":"nv-skill-block",title:`Step ${r+1}: ${l}`,"aria-label":`Step ${r+1}: ${l}`,style:{"background-color":x(
n,i.skill)??"transparent"},data:{step:r+1},on:{click:()=>e(r+1)}})}),o=ut(n.steps).map(i=>a("span",{class:"nv-chip"},a("i",{class:"nv-swatch",style:{"background\
-color":x(n,i)??"transparent"}}),n.skills?.[i]?.name??""));return a("div",{},a("div",{class:"nv-skill-strip"},s),a("div",{class:"nv-chips"},o))}function Qe(n,t){let{linker:e,doc:s}=t,o=n.items??[],i=o.map(p=>Ye(p.value)).filter(p=>p!==null),r=Math.max(...i,0),l=Math.min(...i,0),c=r-l||1,h=a("div",{class:"\
nv-bars"},o.map(p=>{let d=Ye(p.value),u=Se(s,p.skill),f=d===null?null:{left:`${(Math.min(d,0)-l)/c*100}%`,width:`${Math.abs(d)/c*100}%`};return f&&u&&(f["backgr\
ound-color"]=u),a("div",{class:p.chosen?"nv-bar-row nv-chosen":"nv-bar-row"},a("span",{class:"nv-bar-label"},m(e,String(p.label??""))),a("span",{class:"nv-bar-t\
rack"},f?a("span",{class:"nv-bar",style:f}):null),a("span",{class:"nv-bar-value",text:d===null?"–":I(d)}),p.note?a("span",{class:"nv-bar-note"},m(e,String(p.note))):
null)}));return a("div",{},n.hint?a("p",{class:"nv-hint"},m(e,String(n.hint))):null,h,n.note?a("p",{class:"nv-mute"},m(e,String(n.note))):null,n.ran?Je(t):null)}
function Ye(n){let t=n==null?Number.NaN:Number(n);return Number.isFinite(t)?t:null}function At(n,t){return n==null?"–":Un(n)?qn(n,t):typeof n=="object"?H(n,t,new Map):m(t,String(n))}function Un(n){return typeof n=="object"&&n!==null&&typeof n.
mark?.text=="string"}function qn({mark:n,wrong:t},e){let{text:s,start:o,end:i}=n;if(typeof o!="number"||typeof i!="number")return a("span",{class:t?"nv-wrong":""},
m(e,s));let r=[s.slice(0,o),s.slice(o,i),s.slice(i)].map(l=>m(e,l));return a("span",{},r[0],a("mark",{class:"nv-marked"},r[1]),r[2])}function se(n,t,e){if(!Array.
isArray(t)||!t.length)return null;let s=t.map(o=>typeof o=="object"&&o?Object.values(o).join(" · "):String(o));return a("div",{class:"nv-chips",title:n},s.map(
o=>a("span",{class:"nv-chip"},m(e,o))))}function ts(n,{linker:t}){let e=n.directions??[];return a("div",{class:"nv-directions"},e.map(s=>a("section",{},a("h5",{text:String(s.label??"")}),s.text?a("p",
{},m(t,String(s.text))):null,se("objects",s.objects,t),se("candidates",s.candidates,t))))}var O={width:320,height:220,margin:20,labels:60};function es(n,t){let e=new Map(t.nodes.ids.map((d,u)=>[d,u])),s=n.map((d,u)=>Kn(d)??Xn(e.get(d.id),t)??Jn(u,n.length)),
o=s.map(d=>d[0]),i=s.map(d=>d[1]),[r,l]=[Math.min(...o),Math.min(...i)],c=O.width-O.margin-O.labels,h=O.height-2*O.margin,p=Math.min(c/(Math.max(...o)-r||1),h/(Math.
max(...i)-l||1));return new Map(n.map((d,u)=>[d.id,[O.margin+(s[u][0]-r)*p,O.margin+(s[u][1]-l)*p]]))}function Kn({x:n,y:t}){return typeof n=="number"&&typeof t==
"number"&&Number.isFinite(n)&&Number.isFinite(t)?[n,-t]:null}function Xn(n,t){if(n===void 0)return null;let e=t.frame==="geo"?2:3,[s,o]=t.nodes.at.slice(n*e,n*e+
2);return t.frame==="geo"?[o*Math.cos(s*Math.PI/180),-s]:[s,-o]}function Jn(n,t){let e=2*Math.PI*n/t;return[Math.sin(e),-Math.cos(e)]}function ss(n,{linker:t,doc:e}){let s=(n.nodes??[]).map(Qn),o=es(s,e),i=g("svg",{viewBox:`0 0 ${O.width} ${O.height}`,class:"nv-graph",role:"img"});for(let h of n.
links??[]){let[p,d]=Array.isArray(h)?h:[h.source??h.from,h.target??h.to],u=o.get(String(p)),f=o.get(String(d));u&&f&&i.append(g("line",{x1:u[0],y1:u[1],x2:f[0],
y2:f[1]}))}let r=(n.way_back??[]).map(h=>o.get(String(h))).filter(h=>h!==void 0);r.length>1&&i.append(g("polyline",{class:"nv-walk-back",points:r.map(h=>h.join(
",")).join(" ")}));for(let h of s)i.append(to(h,o.get(h.id)??[0,0],t));let l=Yn(Array.isArray(n.states)?n.states:[],s),c=n.note?a("p",{class:"nv-panel-note",text:String(
n.note)}):null;return l||c?a("div",{},c,i,l):i}function Yn(n,t){let e=n.filter(s=>t.some(o=>o.state===s));return e.length?a("div",{class:"nv-panel-key"},e.map(s=>a(
"span",{},a("i",{class:`nv-key nv-key-${bt(s).slice(3)}`}),String(s)))):null}var Qn=n=>typeof n=="object"&&n?{...n,id:String(n.id)}:{id:String(n)};function to(n,[
t,e],s){let o=s.tokens.get(n.id),i=g("circle",{cx:t,cy:e,r:n.current?7:5,class:n.chosen||n.current?"nv-chosen":n.visited?"nv-visited":n.frontier?"nv-frontier":""}),
r=g("text",{x:t+8,y:e+4}),l=typeof n.score=="number"?` ${Math.round(n.score*100)/100}`:"";r.textContent=String(n.label??ct(n.id))+l;let c=g("g",{class:[o?"nv-re\
f":"",bt(n.state)].filter(Boolean).join(" ")},...eo(n,t,e),i,r);if(n.note){let h=g("title",{});h.textContent=`${r.textContent}: ${n.note}`,c.append(h)}return o&&
(c.dataset.ref=o),c}function eo({ring:n},t,e){if(typeof n!="number"||!(n>0))return[];let s=9.5,o=2*Math.PI*s,i=g("title");i.textContent=`stop ${Math.round(n*100)/
100}`;let r=`${o*Math.min(n,1)} ${o}`;return[g("circle",{cx:t,cy:e,r:s,class:"nv-ring","stroke-dasharray":r},i)]}function ns(n,{linker:t}){let e=Array.isArray(n.items)?n.items:Object.entries(n.items??{});return a("dl",{class:"nv-keyvalue"},e.flatMap(([s,o])=>[a("dt",{},m(t,
String(s))),a("dd",{},At(o,t))]))}function os(n,t){let e=t.flatMap(({span:r})=>Array.isArray(r)&&r[0]<r[1]?[r]:[]),s=[...new Map(e.map(r=>[r[0],r])).values()].sort((r,l)=>r[0]-l[0]),o=[],i=0;for(let[
r,l]of s)r<i||(r>i&&o.push({text:n.slice(i,r),start:i,span:null}),o.push({text:n.slice(r,l),start:r,span:[r,l]}),i=l);return i<n.length&&o.push({text:n.slice(i),
start:i,span:null}),o}function is({text:n,start:t},e){let s=[],o=t;for(let{relation:i,span:r}of e)!Array.isArray(r)||r[0]<o||r[1]>t+n.length||(r[0]>o&&s.push({text:n.
slice(o-t,r[0]-t),relation:null}),s.push({text:n.slice(r[0]-t,r[1]-t),relation:i}),o=r[1]);return o<t+n.length&&s.push({text:n.slice(o-t),relation:null}),s}var so={rules:"by rules",model:"by a model",log:"as the log says",off:"not reordered"};function rs(n,{linker:t}){let e=String(n.original??""),s=n.parts??[],o=n.
relations??[],r=os(e,s).map(d=>a("span",{class:d.span?"nv-source":"nv-between",data:d.span?{from:d.span[0]}:{}},is(d,o).map(({text:u,relation:f})=>f?a("mark",{class:"\
nv-cue",title:f,text:u}):m(t,u)))),l=s.map(d=>a("li",{class:d.moved?"nv-moved":d.span?"":"nv-added",title:d.moved?"done earlier or later than it is said":d.span?
"":"not in the original",data:d.span?{from:d.span[0]}:{}},(d.words??[[d.text,!1]]).flatMap(([u,f])=>[f?a("em",{class:"nv-fresh",text:u}):m(t,u)," "]))),c=g("svg",
{class:"nv-order-lines","aria-hidden":"true"}),h=a("div",{class:"nv-reordered"},a("div",{class:"nv-order-side"},a("h5",{text:"Original"}),a("p",{},r)),c,a("div",
{class:"nv-order-side"},a("h5",{text:`In order, ${so[n.by]??String(n.by??"")}`}),a("ol",{},l)));new ResizeObserver(()=>no(h,c)).observe(h);let p=o.map(({cue:d,relation:u})=>a(
"span",{class:"nv-chip",text:`${d}: ${u}`}));return a("div",{},h,p.length?a("div",{class:"nv-chips",title:"temporal relations"},p):null)}function no(n,t){let e=t.
getBoundingClientRect(),s=[...n.querySelectorAll("li[data-from]")].flatMap(o=>{let i=o.dataset.from??"",r=n.querySelector(`.nv-source[data-from="${CSS.escape(i)}\
"]`);if(!r)return[];let[l,c]=[r.getClientRects(),o.getBoundingClientRect()],h=l[l.length-1]??r.getBoundingClientRect(),p=[h.top+h.height/2-e.top,c.top+Math.min(
c.height,20)/2-e.top],d=o.classList.contains("nv-moved")?"nv-order-line nv-moved":"nv-order-line",[u,f]=[e.width,4];return[g("path",{class:d,d:`M0,${p[0]} C${u/
2},${p[0]} ${u/2},${p[1]} ${u-f},${p[1]}`}),g("path",{class:`${d} nv-order-head`,d:`M${u-f-3},${p[1]-f} L${u},${p[1]} L${u-f-3},${p[1]+f}`})]});t.replaceChildren(
...s)}function as(n,{linker:t}){let e=n.columns??[],s=a("tr",{},e.map(l=>a("th",{},m(t,String(l))))),o=(n.rows??[]).map((l,c)=>{let h=Array.isArray(l)?l:e.map(p=>l[p]);
return a("tr",{class:c===n.chosen?"nv-chosen":void 0},h.map(p=>oo(p,t)))}),i=n.note?a("p",{class:"nv-panel-note"},m(t,String(n.note))):null,r=a("table",{class:"\
nv-table"},a("thead",{},s),a("tbody",{},o));return a("div",{},i,a("div",{class:"nv-scroll-x"},r))}function oo(n,t){return typeof n=="number"?a("td",{class:"nv-n\
um",text:I(n)}):a("td",{},At(n,t))}var io=/^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/,ro=/^#{1,6}\s+(.*)$/,ao=/^\*\*([^*]+)\*\*:?$/,lo=/\*\*(.+?)\*\*|`([^`]+)`|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;function ls(n){
let t=[],e=null,s=[],o=null,i=()=>{s.length&&t.push({kind:"paragraph",text:s.join(" ")}),s=[]};for(let r of n.split(`
`)){let l=r.trim();if(o){l.startsWith("```")?(t.push({kind:"code",text:o.join(`
`)}),o=null):o.push(r);continue}let c=io.exec(r),h=ro.exec(l)??ao.exec(l);if(!c&&l&&(e=null),l.startsWith("```"))i(),o=[];else if(h)i(),t.push({kind:"heading",text:h[1].
replaceAll("**","")});else if(c){i();let p=!!c[1];(!e||e.ordered!==p)&&(e={kind:"list",ordered:p,start:Number(c[1]??1),items:[]},t.push(e)),e.items.push(c[2])}else
l?s.push(l):i()}return i(),o&&t.push({kind:"code",text:o.join(`
`)}),t}function cs(n){let t=[],e=0;for(let s of n.matchAll(lo))s.index>e&&t.push({kind:"text",text:n.slice(e,s.index)}),s[1]?t.push({kind:"strong",text:s[1]}):s[2]?
t.push({kind:"code",text:s[2]}):t.push({kind:"emphasis",text:s[3]}),e=s.index+s[0].length;return e<n.length&&t.push({kind:"text",text:n.slice(e)}),t}function q(n,t){let e=4*U,s=a("div",{class:"nv-prose"});for(let o of ls(n.slice(0,e)))s.append(co(o,t));return n.length>e&&ee(s,n.length-e,()=>q(n.slice(e),t)),
s}function co(n,t){if(n.kind==="list"){let e=n.items.map(s=>a("li",{},hs(s,t)));return n.ordered?a("ol",{start:n.start},e):a("ul",{},e)}return n.kind==="code"?a(
"pre",{},m(t,n.text)):a(n.kind==="heading"?"h4":"p",{},hs(n.text,t))}function hs(n,t){let e=document.createDocumentFragment();for(let s of cs(n)){let o=s.kind===
"code"?t.letter(s.text):void 0,i=o?$(s.text,o):m(t,s.text);s.kind==="text"?e.append(i):e.append(a(s.kind==="strong"?"strong":s.kind==="code"?"code":"em",{},i))}
return e}function ds(n,t){let[e,s]=[ps(n),ps(t)];if(e.length*s.length>1200*1200)return[{kind:"new",text:t}];let o=ho(e,s),i=[],[r,l]=[0,0];for(;r<e.length||l<s.length;)r<
e.length&&l<s.length&&e[r]===s[l]?(ne(i,"same",s[l]),r+=1,l+=1):l<s.length&&(r===e.length||o[r][l+1]>=o[r+1][l])?(ne(i,"new",s[l]),l+=1):(ne(i,"gone",e[r]),r+=1);
return i}var ps=n=>n.match(/\s*\S+|\s+$/g)??[];function ho(n,t){let e=Array.from({length:n.length+1},()=>new Array(t.length+1).fill(0));for(let s=n.length-1;s>=
0;s-=1)for(let o=t.length-1;o>=0;o-=1)e[s][o]=n[s]===t[o]?e[s+1][o+1]+1:Math.max(e[s+1][o],e[s][o+1]);return e}function ne(n,t,e){let s=n.at(-1);s?.kind===t?s.text+=
e:n.push({kind:t,text:e})}var po={new:"ins",gone:"del",same:"span"};function us(n,{linker:t}){let e=String(n.text??"");if(typeof n.former!="string"||n.former===e)return q(e,t);let s=ds(n.
former,e);return a("p",{class:"nv-changes"},s.map(({kind:o,text:i})=>a(po[o],{text:i})))}var fs={bars:Qe,directions:ts,graph:ss,keyvalue:ns,reordered:rs,table:as,text:us};function ms(n,t){let e=()=>H(n.data,t.linker,t.folds,`panel.${n.title}`),s=Object.
hasOwn(fs,n.kind)?fs[n.kind]:e,o;try{o=s(n.data,t)}catch{o=e()}return a("section",{class:"nv-panel",data:{kind:n.kind}},o)}async function gs(n,t){try{await navigator.clipboard.writeText(n)}catch{let e=document.createElement("textarea");e.value=n,e.className="nv-off-screen",t.append(
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
seconds===void 0?`time ${"–"}`:lt(t.seconds)}),a("span",{text:uo(t)}),t.retries?a("span",{class:"nv-flag nv-warn",text:F(t.retries,"retry","retries")}):null,t.
error?a("span",{class:"nv-flag nv-bad",text:t.error}):null,t.parse_error?a("span",{class:"nv-flag nv-bad",text:t.parse_error}):null,s?this.rawTools(s):null)}rawTools(t){
let e={mousedown:T,click:()=>this.toggleRaw()},s=this.raw?"Show it set in type":"Show it as it was sent or came back",o=a("button",{type:"button",class:"nv-smal\
l",text:this.raw?"set":"raw",title:s,"aria-pressed":String(this.raw),on:e,data:{call:"raw"}}),i=v("copy","Copy the text",()=>gs(t,i),{call:"copy"});return a("sp\
an",{class:"nv-raw-tools"},o,i)}toggleRaw(){this.raw=!this.raw,this.player.repaintPane()}message(t,e){let s=a("div",{class:"nv-message"},e?a("div",{class:"nv-ro\
le",text:t.role}):null),o=s;for(let[i,r]of t.parts){let l=this.player.text(r);i==="heading"?(o=a("div",{class:"nv-part-body"}),s.append(this.heading(l.trim(),o))):
i!=="fence"&&o.append(this.part(i,l))}return s}heading(t,e){let s=`part.${t}`,o=t.replace(/^\[(.*)\]$/s,"$1").replace(/^#+\s*/,""),i=a("summary",{text:o});return rt(
{class:"nv-part"},i,e,this.folds.get(s)??!0,r=>this.folds.set(s,r))}part(t,e){let s=t==="json"?qe(e):null;if(s)return a("div",{class:"nv-json"},H(s.value,this.linker,
this.folds,"prompt"));let o=e.replace(/\n+$/,`
`).replace(/^\n+/,"");return a("pre",{class:t==="text"?"nv-plain":"nv-code"},m(this.linker,o))}code(t){return a("pre",{class:"nv-code"},m(this.linker,t))}};function uo(n){
return n.cost_usd===void 0?`cost ${"–"}`:n.list_price?`${G(n.cost_usd)} list price`:G(n.cost_usd)}function ys(n,t,e){let s=n.observation;if(!s)return z("The log does not say what the agent was shown.");let o=[s.format,`${s.visible.length} nodes`,`${s.pois.length}\
 landmarks`],i=n.calls.length?"As it stood in the prompt":"In words";return a("div",{},a("div",{class:"nv-call-head"},o.map(r=>a("span",{text:r}))),s.pois.length?
fo(s.pois):null,s.candidates.length?mo(s.candidates,t):null,s.text?a("h4",{text:i}):null,(s.text??[]).filter(([r])=>r!=="fence").map(([r,l])=>e.part(r,t.text(l))))}
function fo(n){let t=n.map(e=>{let s=b(e.name);return a("tr",{},a("td",{},e.letter?$(e.letter,s):""),a("td",{},$(e.name,s)),a("td",{text:ws(e.position??e.direction)}),
a("td",{class:"nv-num",text:k(e.distance_m)}))});return a("table",{class:"nv-table"},a("tbody",{},t))}function mo(n,t){let e=n.map(s=>a("tr",{class:`nv-cand-${s.
state}`},a("td",{},a("span",{class:`nv-cand nv-cand-${s.state}`,title:s.state})),a("td",{},t.nodeMark(s.node),s.label?` ${s.label}`:""),a("td",{text:ws(s.direction)}),
a("td",{class:"nv-num",text:go(s)}),a("td",{},s.reason?m(t.linker,s.reason):"")));return a("table",{class:"nv-table"},a("tbody",{},e))}var ws=n=>(n??"").replace(
/^(left|right) ([\d.]+)$/,"$1 $2°");function go(n){return n.score!==void 0?w(n.score,3):n.distance_m===void 0?"":k(n.distance_m)}var yo={none:"todo",now:"doing",reached:"done",missed:"missed",cut:"missed"};function vs(n,t){let{tasks:e}=n.doc.episode,{stages:s}=n.doc,o=gt(s,t),i=e.map((l,c)=>vo(
n,l,c,s[c],t)),r=a("ol",{class:"nv-plan nv-tasks"},i);return o>=0&&queueMicrotask(()=>$t(r,i[o])),a("section",{class:"nv-plan-box nv-tasks-box"},a("h3",{text:`T\
ask in ${e.length} parts`}),r)}function wo(n,t){return!n||n.first===void 0||n.last===void 0?{state:"none",said:n?.status??""}:t<n.first?{state:"none",said:"to c\
ome"}:t<n.last||n.state==="now"?{state:"now",said:"now"}:{state:n.state,said:n.status}}function vo(n,t,e,s,o){let{state:i,said:r}=wo(s,o),l=i==="now",c=`nv-task\
 nv-${yo[i]}${l?" nv-current":""}`,h={"--nv-stage":`var(--nv-${N(e)})`},p=s!==void 0&&i!=="none"&&!l;return a("li",{class:c,style:h,data:{stage:e+1},title:`Part\
 ${e+1}: ${r}`,on:{click:()=>n.toStage(e)}},a("span",{class:"nv-stage-number",text:String(e+1)}),a("span",{class:"nv-what"},m(n.linker,t.description),t.region?a(
"span",{class:"nv-then",text:` ${t.region}`}):null,t.actions.length?a("span",{class:"nv-then",text:`, then ${t.actions.join(", ")}`}):null),a("span",{class:"nv-\
said",text:p&&s?`${r}${xo(s)}`:r}))}function xo({state:n,moves:t,reference_moves:e,nearest_m:s}){let o=e===void 0?"":` of ${I(e)}`,i=t===void 0?"":` · ${I(t)}${o}\
 steps`,r=s===void 0||n==="reached"?"":` · nearest ${k(s)}`;return`${i}${r}`}var oe={TODO:["todo","to do"],IN_PROGRESS:["doing","in progress"],COMPLETED:["done","completed"],SKIPPED:["skipped","skipped"]},Ot=class{constructor(t){this.player=
t}sections(t){let e=this.player.doc.stages.length?vs(this.player,this.player.step):null;return[this.instruction(),e,this.plan(t),t?this.decision(t):this.hint()].
filter(o=>o!==null)}instruction(){let{doc:t,linker:e}=this.player,s=t.episode.instruction||"This episode has no instruction.";return a("section",{class:"nv-inst\
ruction"},a("h3",{text:"Instruction"}),a("p",{},m(e,s)))}plan(t){let{doc:e,atEnd:s}=this.player,o=s&&!e.running?e.end?.plan:void 0,i=t?.plan??(o?.length?o:e.planning.
sub_goals);if(!i.length&&(e.stages.length||!e.episode.tasks.length))return null;let r=t?.sub_goal,l=i.length?i.map(([h,p,d],u)=>this.subGoal(u,this.player.text(
h),p,d,r)):e.episode.tasks.map((h,p)=>this.subGoal(p,h.description,"TODO",null,r)),c=a("ol",{class:"nv-plan"},l);return r!==void 0&&queueMicrotask(()=>$t(c,l[r])),
a("section",{class:"nv-plan-box"},a("h3",{text:i.length?"Plan":"Tasks"}),c)}subGoal(t,e,s,o,i){let[r,l]=oe[s]??oe.TODO,c=`nv-${r}${t===i?" nv-current":""}`,h={click:()=>this.
player.toSubGoal(t)},{doc:p}=this.player,d=x(p,Ut(p.steps,t)),u=p.skills?.[Ut(p.steps,t)??-1]?.name;return a("li",{class:c,title:`Sub-goal ${t+1}: ${l}`,on:h},a(
"span",{class:"nv-state","aria-label":l,role:"img"}),d?a("i",{class:"nv-swatch",title:u??"",style:{"background-color":d}}):null,a("span",{class:"nv-what"},m(this.
player.linker,e)),o?a("span",{class:"nv-try",title:`try ${o} of this sub-goal`,text:`try ${o}`}):null)}hint(){let{doc:t}=this.player,e="This run has no steps.";
return t.steps.length?e="Before the first step. Press → or space.":t.running&&(e="The run is starting."),a("section",{class:"nv-decision nv-mute"},a("p",{text:e}))}decision(t){
let e=t.decision,s=this.player.doc.divergence?.step===this.player.step,o=[e&&!e.legal?a("span",{class:"nv-flag nv-bad",text:"illegal"}):null,t.retries?a("span",
{class:"nv-flag nv-warn",text:F(t.retries,"retry","retries")}):null,e?.stop?a("span",{class:"nv-flag",text:"stops"}):null,s?a("span",{class:"nv-flag nv-warn",text:"\
leaves the route"}):null];return a("section",{class:"nv-decision"},a("h3",{},"Decision",o),a("p",{class:"nv-where"},this.move(t)),e?.reason?a("p",{class:"nv-rea\
son"},m(this.player.linker,e.reason)):null)}move(t){let{doc:e,atEnd:s}=this.player,o=this.player.nodeMark(t.node),i=t.decision;if(!i){let l=t.path.length>0;return[
e.running&&s?"deciding at ":l?"walked from ":"at ",o,...l?[" to ",this.player.nodeMark(t.path.at(-1))]:[]]}let r=t.path.length-1;return[o,a("span",{class:"nv-ar\
row",text:" → "}),i.target_id?this.player.nodeMark(i.target,i.target_id):a("span",{class:"nv-mute",text:bo(i)}),i.sub_goal_status?this.verdict(i.sub_goal_status):
null,r>0?a("span",{class:"nv-mute",text:` ${F(r,"link","links")}`}):null]}verdict(t){let[e,s]=oe[t]??["todo",t];return a("span",{class:`nv-verdict nv-${e}`,text:s})}};
function bo({action:n,stop:t}){return n?n.replaceAll("_"," ")+(t&&n!=="stop"?", stop":""):t?"stop":"no place named"}function xs(n,t,e){return t===void 0?a("span",
{class:"nv-mute",text:"an unknown place (hole in the log)"}):typeof t=="number"?$(e??n.nodes.ids[t],`n:${t}`):a("span",{class:"nv-foreign",title:"This id is not\
 in the graph.",text:e??t})}var ko=30,Et=class{constructor(t,e){this.player=t,this.folds=new Map,this.tab=t.options.tab??"thoughts",this.chosen=!1,this.shown=null,this.top=a("div",{class:"\
nv-pane-top"}),this.split=a("div",{class:"nv-split nv-split-row"}),this.tabs=a("div",{class:"nv-tabs",role:"tablist"}),this.body=a("div",{class:"nv-tab-body",role:"\
tabpanel",tabindex:-1}),e.append(this.top,this.split,this.tabs,this.body),this.topView=new Ot(t),this.calls=new _t(t,this.folds)}show(t){let{doc:e}=this.player,
s=t??e.planning,{body:o}=this,i=e.running&&o.scrollHeight-o.scrollTop-o.clientHeight<ko;this.top.replaceChildren(...this.topView.sections(t));let r=this.tabList(
s,t),l=r.find(d=>d.key===this.tab)??r[0],c=l.empty&&!this.chosen?r.find(d=>!d.empty)??l:l;this.tabs.replaceChildren(...r.map(d=>this.tabButton(d,d===c)));let h=this.
shown===c.key,p=o.scrollTop;this.shown=c.key,o.replaceChildren(c.draw()),i&&h?o.scrollTop=o.scrollHeight:o.scrollTop=h&&(c.key==="prompt"||e.running)?p:0}open(t){
this.tab=t,this.chosen=!0,this.player.repaintPane()}tabList(t,e){let{calls:s}=t,o=this.player.atEnd?this.player.doc.streaming:{},r=[{key:"thoughts",name:"Though\
ts",empty:!s.some(c=>c.thoughts!==void 0)&&!o.thoughts,draw:()=>this.calls.thoughts(s,o)},{key:"prompt",name:"Prompt",empty:!s.length,draw:()=>this.calls.prompts(
s)},{key:"reply",name:"Reply",empty:!s.length&&!o.reply,draw:()=>this.calls.replies(s,o)}];e&&r.push({key:"seen",name:"Seen",empty:!e.observation,draw:()=>ys(e,
this.player,this.calls)});let l={linker:this.player.linker,doc:this.player.doc,folds:this.folds,step:this.player.step,go:c=>this.player.go(c)};for(let c of t.panels)
r.push({key:`panel:${c.title}`,name:c.title,empty:!1,draw:()=>ms(c,l)});return r}tabButton(t,e){return a("button",{class:`nv-tab${e?" nv-open":""}${t.empty?" nv\
-empty":""}`,role:"tab",type:"button","aria-selected":String(e),title:t.name,text:t.name,data:{tab:t.key},on:{mousedown:T,click:()=>this.open(t.key)}})}scrollTo(t){
let e=this.body.querySelector(`[data-ref="${CSS.escape(t)}"]`);e&&this.scrollToElement(e)}scrollToElement(t){let e=t.getBoundingClientRect().top-this.body.getBoundingClientRect().
top+this.body.scrollTop;this.body.scrollTo({top:e-60,behavior:"smooth"})}};function bs(){let n=new URLSearchParams(location.search);return[location.pathname,n.get("run"),n.get("episode")].join(" ")}var Ct=class{constructor(t){this.player=
t,this.place=bs(),this.written=0,this.waiting=void 0}get on(){return this.player.options.deepLink!==!1}start(){let{doc:t,count:e,options:s}=this.player;if(t.running)
return e;let o=(this.on?this.told():null)??s.step??"";return/^\d+$/.test(String(o))?Math.min(Number(o),e):Math.min(1,e)}told(){return new URLSearchParams(location.
search).get("step")}remember(){this.on&&(clearTimeout(this.waiting),performance.now()-this.written>250?this.write():this.waiting=setTimeout(()=>this.write(),120))}write(){
if(this.written=performance.now(),this.place!==bs())return;let t=new URL(location.href);t.searchParams.set("step",String(this.player.step));try{history.replaceState(
history.state,"",t)}catch{}}keep(){this.written&&this.told()!==String(this.player.step)&&this.remember()}forget(){clearTimeout(this.waiting)}};var ks={NE:"Navigation error: distance from the stop to the goal, in metres",TL:"Length of the agent's path, in metres",SPL:"Success weighted by path length",nDTW:"\
Normalised dynamic time warping",SDTW:"Success weighted by nDTW",CLS:"Coverage weighted by length score"},So=new Set(["NE","TL"]),Mo=new Set(["error","budget","\
limit"]),Lo=10,Pt=class{constructor(t,e,s){this.player=t,this.headBox=e,this.noteBox=s}show(){let{doc:t,options:e}=this.player,o=[...new Set([t.run,t.navigator,
t.model].filter(Boolean))].join("  ·  ");this.headBox.hidden=e.header===!1,this.headBox.replaceChildren(a("h2",{text:t.title,title:t.title}),a("span",{class:"n\
v-facts",text:o,title:o}),a("span",{class:"nv-gap"}),...this.figures()),this.showNotes()}showNotes(){let{doc:t,linker:e}=this.player,s=[...t.notes];t.end&&Mo.has(
t.end.status)&&s.push(`The run ended early (${t.end.status})${t.end.reason?`: ${t.end.reason}`:"."}`);let o=t.divergence?.sentence;this.noteBox.replaceChildren(
...o?[t.divergence?.step?this.divergence(o):a("p",{class:"nv-note"},m(e,o))]:[],...s.map(i=>a("p",{class:"nv-note",text:i})))}divergence(t){return a("button",{type:"\
button",class:"nv-note nv-note-divergence",title:"Go to this step (d)",on:{mousedown:T,click:()=>this.player.toDivergence()}},a("span",{class:"nv-glyph nv-mark-\
divergence"}),a("span",{},m(this.player.linker,t)))}figures(){let{doc:t}=this.player,e=Object.keys(ks).filter(s=>s in t.metrics);return[this.outcome(),...e.map(
s=>this.figure(s))].filter(s=>s!==null)}outcome(){let{doc:t}=this.player;if(t.running)return a("span",{class:"nv-outcome nv-live",text:"running"});let e=t.metrics.
SR;return e==null?null:e>=1?a("span",{class:"nv-outcome nv-success",text:"✓ success"}):a("span",{class:"nv-outcome nv-failure",text:"✕ failure"})}figure(t){
let{metrics:e,compare:s}=this.player.doc,o=s?.metrics[t];return a("span",{class:"nv-figure",title:ks[t]},a("span",{text:t}),a("b",{text:this.told(t,e[t])}),o==null?
null:a("i",{text:`was ${this.told(t,o)}`}))}told(t,e){if(!So.has(t))return w(e,2);let s=this.player.doc.episode.success_radius_m<Lo;return k(e,s?2:(e??0)<100?1:
0)}};var ie=[["← →","step"],["shift + ← →","sub-goal"],["home, end","start, end"],["space","play, pause"],["1 – 9","speed"],["d","to the divergence"],["ctr\
l + k, /","search"],["f","present"],["escape","leave"],["?","these keys"]],To=[["n, p","next, previous episode"]],Rt=class{constructor(t){let e=t.options.episodes?
[...ie.slice(0,6),...To,...ie.slice(6)]:ie;this.box=a("dialog",{class:"nv-help","aria-label":"Keys"},a("h3",{text:"Keys"}),a("dl",{},e.flatMap(([s,o])=>[a("dt",
{text:s}),a("dd",{text:o})])),a("p",{class:"nv-mute",text:"Point at a node id, a letter or a landmark in any text: the map shows where it is. Click it, and the \
map goes there."})),t.root.append(this.box)}get isOpen(){return this.box.open}close(){this.box.close()}toggle(){this.isOpen?this.close():this.box.show()}};var K=[],X=null,Nt=!1;function Ms(n){K.length||(window.addEventListener("keydown",$s),window.addEventListener("pointerdown",Ts,!0)),K.push(n),Ao(n)}function Ls(n){
K.splice(K.indexOf(n),1),X===n&&(X=null),!K.length&&(window.removeEventListener("keydown",$s),window.removeEventListener("pointerdown",Ts,!0))}function Ts(){Nt=
!1}function re(n){X=n}function $o(){return X&&Ss(X)?X:K.findLast(Ss)??null}var Ss=n=>n.root.isConnected&&n.root.getClientRects().length>0;function Ao(n){let{activeElement:t}=document;
t instanceof HTMLInputElement&&t.getAttribute("role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!n.root.contains(t)&&t.blur()}function $s(n){n.key===
"Tab"&&(Nt=!0);let t=$o();if(!t||n.defaultPrevented)return;let s=(n.ctrlKey||n.metaKey)&&!n.altKey&&!n.shiftKey&&n.key.toLowerCase()==="k"?()=>t.search.open():Oo(
t,n);s&&(n.preventDefault(),n.stopPropagation(),_o(t),s())}function _o(n){let{activeElement:t}=document;Nt||!(t instanceof HTMLElement)||n.root.contains(t)||t.blur()}
function Oo(n,t){return t.ctrlKey||t.metaKey||t.altKey||Bo(t)?null:Eo(n,t)}function Eo(n,{key:t,shiftKey:e}){let s=o=>()=>{n.pause(),e?n.bySubGoal(o):n.go(n.step+
o)};if(/^[1-9]$/.test(t))return()=>n.transport.setSpeed(Number(t));switch(t){case"ArrowRight":return s(1);case"ArrowLeft":return s(-1);case"Home":return()=>n.go(
0);case"End":return()=>n.go(n.count);case" ":return()=>n.toggle();case"d":return()=>n.toDivergence();case"n":return n.options.episodes?()=>n.toEpisode("next"):null;case"\
p":return n.options.episodes?()=>n.toEpisode("previous"):null;case"f":return()=>n.present();case"?":return()=>n.help.toggle();case"/":return()=>n.search.open();case"\
Escape":return Co(n);default:return null}}function Co(n){return n.help.isOpen?()=>n.help.close():n.presenter.on?()=>n.present(!1):null}var Po="textarea, select,\
 [contenteditable=''], [contenteditable=true]",Ro=new Set(["button","checkbox","color","file","image","radio","range","reset","submit"]),No="[role=slider], [rol\
e=listbox], [role=option], [role=menu], [role=grid], [role=radiogroup], [role=tablist], canvas[tabindex], input",zo="button, summary, a, [role=button], [role=ch\
eckbox], [role=switch], label";function Bo(n){let t=n.composedPath()[0];return t instanceof Element?t instanceof HTMLInputElement&&!Ro.has(t.type)?!(t.getAttribute(
"role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!t.value&&/^(Arrow(Left|Right)|Home|End)$/.test(n.key)):t.closest(Po)||t.closest("dialog[open] i\
nput")?!0:Nt?n.key===" "||n.key==="Enter"?t.closest(zo)!==null:t.closest(".navviz-player")===null&&t.closest(No)!==null:!1:!1}var jo=30,ae=14,Io=.0165,Fo=5,zt=class{constructor(t){this.player=t,this.wasFull=!1,this.instruction=a("div",{class:"nv-told",hidden:!0}),t.main.before(this.instruction);
let{signal:e}=t.stopped;document.addEventListener("fullscreenchange",()=>this.onFullscreen(),{signal:e}),window.addEventListener("resize",()=>this.fitType(),{signal:e})}get on(){
return this.player.root.classList.contains("nv-present")}turn(t=!this.on){t!==this.on&&(this.player.root.classList.toggle("nv-present",t),t?this.enterTop():this.
leaveTop(),this.player.repaintPane(),requestAnimationFrame(()=>{this.player.map.resize(),this.player.map.fit(!1)}))}onFullscreen(){!document.fullscreenElement&&
this.wasFull&&this.turn(!1),this.wasFull=!!document.fullscreenElement}enterTop(){let{root:t,options:e}=this.player;t.setAttribute("popover","manual");try{t.showPopover()}catch{}
e.fullscreen!==!1&&t.ownerDocument.documentElement.requestFullscreen?.().catch(()=>{})}leaveTop(){let{root:t}=this.player;t.style.removeProperty("font-size"),this.
instruction.hidden=!0;try{t.hidePopover()}catch{}t.removeAttribute("popover"),document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}fitType(){if(!this.
on)return;let{root:t,pane:e}=this.player;this.instruction.replaceChildren(...e.top.querySelectorAll(".nv-instruction")),this.instruction.hidden=!1;let s=Math.min(
jo,Math.max(ae,window.innerWidth*Io));for(;s>ae;s-=1)if(t.style.fontSize=`${s}px`,this.fits(s))return;t.style.fontSize=`${ae}px`}fits(t){let{pane:e,paneBox:s}=this.
player,o=e.top.querySelector(".nv-plan"),i=e.top.scrollHeight<=e.top.clientHeight+1&&(!o||o.scrollHeight<=o.clientHeight+1),r=s.clientHeight-e.top.scrollHeight-
e.tabs.offsetHeight;return i&&r>=Fo*1.5*t&&this.instruction.offsetHeight<.28*window.innerHeight}};function _s(n,t){let e=[{what:"instruction",tab:null,step:0,text:n.episode.instruction}];n.planning.sub_goals.forEach(([s],o)=>{let i=n.steps.findIndex(r=>r.sub_goal===
o);e.push({what:`sub-goal ${o+1}`,tab:null,step:i+1,text:t[s]??""})});for(let s of n.planning.landmarks){let o=n.steps.findIndex(i=>i.observation?.pois.some(r=>r.
name===s.name));e.push({what:"landmark",tab:null,step:o+1,text:s.name})}return As(e,n.planning.calls,0,t),n.steps.forEach((s,o)=>{As(e,s.calls,o+1,t);for(let i of s.
observation?.pois??[])e.push({what:"landmark",tab:"seen",step:o+1,text:i.name});s.decision?.reason&&e.push({what:"decision",tab:null,step:o+1,text:s.decision.reason})}),
e}function As(n,t,e,s){for(let o of t){o.thoughts!==void 0&&n.push({what:"thoughts",tab:"thoughts",step:e,text:s[o.thoughts]??""}),o.reply!==void 0&&n.push({what:"\
reply",tab:"reply",step:e,text:s[o.reply]??""});let i=o.messages.map(({parts:r})=>r.map(([,l])=>s[l]??"").join("")).join(`

`);i&&n.push({what:"prompt",tab:"prompt",step:e,text:i})}}function Os(n,t,e){let s=t.trim().toLowerCase();if(!s)return[];let o=[];for(let i of[...n].sort((r,l)=>+(r.
what==="prompt")-+(l.what==="prompt"))){let r=i.text.toLowerCase(),l=0;for(let c=0;c<3;c+=1){let h=r.indexOf(s,l);if(h<0)break;if(l=h+s.length,o.push({...i,...Do(
i.text,h,s.length)}),o.length===e)return o}}return o}function Do(n,t,e){let s=r=>r.replace(/\s+/g," "),o=Math.max(0,t-48),i=Math.min(n.length,t+e+48);return{before:s(
(o>0?"…":"")+n.slice(o,t)),match:s(n.slice(t,t+e)),after:s(n.slice(t+e,i)+(i<n.length?"…":""))}}var le=60,Bt=class{constructor(t){this.player=t,this.hits=[],this.chosen=0,this.known=null;let e={input:()=>this.look(),keydown:s=>this.onKey(s)};this.field=a("\
input",{type:"search",class:"nv-search-field","aria-label":"Search",placeholder:"Search prompts, thoughts, replies, landmarks",on:e}),this.list=a("ol",{class:"n\
v-hits"}),this.note=a("p",{class:"nv-mute nv-search-note"}),this.box=a("dialog",{class:"nv-search","aria-label":"Search"},this.field,this.list,this.note),t.root.
append(this.box),this.box.addEventListener("focusout",s=>{this.box.contains(s.relatedTarget)||this.box.close()})}open(){this.player.pause(),this.box.open||this.
box.show(),this.field.focus(),this.field.select(),this.look()}close(){this.field.blur(),this.box.close()}all(){let{doc:t,strings:e}=this.player;return this.known?.
doc!==t&&(this.known={doc:t,all:_s(t,e)}),this.known.all}look(){let t=this.field.value;this.hits=Os(this.all(),t,le),this.chosen=0,this.note.textContent=this.said(
t),this.list.replaceChildren(...this.hits.map((e,s)=>this.row(e,s))),this.choose(0)}said(t){return t.trim()?this.hits.length?this.hits.length===le?`The first ${le}\
 places`:"":"Nothing in this episode says that.":"↑ ↓ choose, enter goes to the step, escape leaves"}row(t,e){return a("li",{class:"nv-hit",on:{mousedown:o=>o.
preventDefault(),click:()=>this.go(e),mousemove:()=>this.choose(e)}},a("span",{class:"nv-hit-where",text:`${t.step===0?"start":`step ${t.step}`} · ${t.what}`}),
a("span",{class:"nv-hit-text"},t.before,a("mark",{text:t.match}),t.after))}choose(t){this.chosen=Math.max(0,Math.min(this.hits.length-1,t)),[...this.list.children].
forEach((e,s)=>{e.classList.toggle("nv-on",s===this.chosen),s===this.chosen&&e.scrollIntoView({block:"nearest"})})}onKey(t){if(t.key==="Escape")this.close();else if(t.
key==="Enter")this.go(this.chosen);else if(t.key==="ArrowDown")this.choose(this.chosen+1);else if(t.key==="ArrowUp")this.choose(this.chosen-1);else return;t.preventDefault(),
t.stopPropagation()}go(t){let e=this.hits[t];if(!e)return;this.close();let{player:s}=this;s.go(e.step),e.tab&&(s.pane.open(e.tab),this.show(e))}show(t){let{body:e}=this.
player.pane,s=Ho(e,t.match.toLowerCase());if(!s?.startContainer.parentElement)return;let o=s.startContainer.parentElement;for(let i=o.closest("details");i;i=i.parentElement?.
closest("details")??null)i.open=!0;this.player.pane.scrollToElement(o),getSelection()?.removeAllRanges(),getSelection()?.addRange(s)}};function Ho(n,t){let e=document.
createTreeWalker(n,NodeFilter.SHOW_TEXT),s=[],o="";for(;e.nextNode();){let p=e.currentNode;s.push([p,o.length]),o+=p.data}let i=o.toLowerCase().indexOf(t);if(i<
0)return null;let r=p=>s.findLast(([,d])=>d<=p),l=r(i),c=r(i+t.length-1);if(!l||!c)return null;let h=document.createRange();return h.setStart(l[0],i-l[1]),h.setEnd(
c[0],i+t.length-c[1]),h}function Es(n){let t=[];return n.forEach((e,s)=>{let o=e.sub_goal??null,i=t.at(-1);i&&i.goal===o?i.to=s+1:t.push({goal:o,from:s+1,to:s+1})}),t}function Cs(n,t,e,s){
let o=[0,...n.map(i=>i.from),e];return s>0?o.find(i=>i>t):o.findLast(i=>i<t)}var jt=.2,It=class{constructor(t,e,s){this.player=t,this.make(e,"column",t.main,"map and text"),this.make(s,"row",t.paneBox,"plan and thoughts")}make(t,e,s,o){t.
setAttribute("role","separator"),t.setAttribute("aria-orientation",e==="column"?"vertical":"horizontal"),t.title=`Drag to share the room between ${o}; double-cl\
ick for the first share`;let i=wt(`split.${e}`);typeof i=="number"&&this.set(s,e,i),t.addEventListener("pointerdown",r=>{r.preventDefault(),t.setPointerCapture(
r.pointerId),t.dataset.held="true"}),t.addEventListener("pointermove",r=>{if(!t.dataset.held)return;let l=Wo(s,e,r);this.set(s,e,l),Q(`split.${e}`,l)}),t.addEventListener(
"lostpointercapture",()=>{delete t.dataset.held}),t.addEventListener("dblclick",()=>{s.style.removeProperty(`--nv-${e}`),delete s.dataset[e],Q(`split.${e}`,null)})}set(t,e,s){
t.style.setProperty(`--nv-${e}`,`${(100*Math.min(1-jt,Math.max(jt,s))).toFixed(2)}%`),t.dataset[e]="set"}};function Wo(n,t,e){let s=n.getBoundingClientRect(),o=t===
"column"?(e.clientX-s.left)/s.width:(e.clientY-s.top)/s.height;return Math.min(1-jt,Math.max(jt,o))}function Go(n){let t=/^#([0-9a-f]{3}|[0-9a-f]{6})/i.exec(n)?.[1],e;return t?e=(t.length===3?[...t].map(o=>o+o):t.match(/../g)??[]).map(o=>Number.parseInt(o,16)):
e=/rgba?\(([^)]+)\)/.exec(n)?.[1].split(/[ ,/]+/).slice(0,3).map(Number),e?(.2126*e[0]+.7152*e[1]+.0722*e[2])/255:null}function st(n){let t=getComputedStyle(n.parentElement??
n).getPropertyValue("--st-background-color").trim(),e=t?Go(t):null;return e!==null?e>.5?"light":"dark":matchMedia("(prefers-color-scheme: dark)").matches?"dark":
"light"}var Ft=class{constructor(t){this.root=t,this.known=new Map}get(t){let e=`${this.root.dataset.theme} ${t}`,s=this.known.get(e)??getComputedStyle(this.root).
getPropertyValue(`--nv-${t}`).trim();return this.known.set(e,s),s}};var Zo=250,Dt=class{constructor(t,e){this.player=t,this.held=!1,this.track=a("div",{class:"nv-track",role:"slider",tabindex:0,"aria-label":"Step","aria-valuemin":0}),
this.track.addEventListener("pointerdown",s=>this.grab(s)),this.track.addEventListener("pointermove",s=>{s.buttons===1&&this.held&&this.seek(s)}),this.track.addEventListener(
"pointerup",()=>{this.held=!1}),e.append(this.track),this.rows=new mt(this,this.track),this.cursor=a("div",{class:"nv-cursor"}),this.count=0,this.segments=[],this.
segmentNodes=[],this.build()}get doc(){return this.player.doc}build(){this.count=this.doc.steps.length,this.segments=Es(this.doc.steps),this.segmentNodes=this.segments.
map((t,e)=>this.segment(t,e)),this.track.replaceChildren(this.distances(),this.label(),...this.segmentNodes,...this.skills(),...this.cells(),...this.marks(),this.
cursor),this.rows.build(),this.track.setAttribute("aria-valuemax",String(this.count))}left(t){return 100*t/(this.count+1)}middle(t){return 100*(t+.5)/(this.count+
1)}label(){let t=this.doc.steps.some(o=>o.to_goal_m!==void 0||o.to_target_m!==void 0),e=this.doc.stages.length?"distance to target":"distance to goal",s=this.left(
1)<7?"":t?e:"start";return a("div",{class:"nv-track-label",style:{width:`${this.left(1)}%`},text:s})}segment({goal:t,from:e,to:s},o){let i=this.doc.steps[e-1].plan??
this.doc.planning.sub_goals,r=t===null?void 0:i[t],l=t===null?"":`${t+1}  ${r?(this.player.strings[r[0]]??"").slice(0,300):""}`,c=`nv-segment${o%2?" nv-odd":""}${t===
null?" nv-unplanned":""}`,h={left:`${this.left(e)}%`,width:`${this.left(s+1)-this.left(e)}%`};return a("div",{class:c,title:l,style:h},a("span",{text:l}))}cells(){
return this.count>Zo?[]:Array.from({length:this.count+1},(t,e)=>a("div",{class:"nv-tick",style:{left:`${this.left(e)}%`}}))}skills(){let{doc:t}=this;return Y(t.
steps,0,this.count).flatMap(({skill:e,back:s,from:o,to:i})=>{let r=x(t,e);if(e===void 0||!r)return[];let l=i-o>1?`Steps ${o+1} to ${i}`:`Step ${i}`,c={left:`${this.
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
track.getBoundingClientRect(),s=(t.clientX-e.left)/e.width;this.player.pause(),this.player.go(Math.floor(s*(this.player.count+1)))}};var Vo=2400,Uo=2,qo=320,Ht=class{constructor(t,e){this.player=t,this.speed=Uo,this.timer=null,this.playButton=this.button("play","Play (space)",()=>this.toggle()),
this.where=a("span",{class:"nv-step"}),this.tally=a("span",{class:"nv-tally"}),this.speedBox=this.speeds(),e.append(this.bar())}button(t,e,s){return v(t,e,s,{press:t})}bar(){
let{player:t}=this;return a("div",{class:"nv-transport"},this.button("first","Start (home)",()=>t.go(0)),this.button("previous","Step back (←)",()=>t.go(t.step-
1)),this.playButton,this.button("next","Step on (→)",()=>t.go(t.step+1)),this.button("last","End (end)",()=>t.go(t.count)),this.speedBox,this.where,a("span",{
class:"nv-gap"}),this.tally,(t.options.actions??[]).map(e=>this.action(e)),this.button("search","Search (ctrl + k)",()=>t.search.open()),this.button("keys","Key\
s (?)",()=>t.help.toggle()),this.button("present","Present (f)",()=>t.present()))}action({name:t,label:e}){return a("button",{type:"button",class:"nv-action",data:{
action:t},on:{mousedown:T,click:()=>this.player.options.onAction?.(t,this.player.step)},text:e})}speeds(){let t=Array.from({length:9},(o,i)=>a("option",{value:i+
1,text:`${i+1}×`})),s=a("select",{class:"nv-speed",title:"Speed (1 – 9)","aria-label":"Speed",on:{change:()=>{this.setSpeed(Number(s.value)),s.blur()}}},t);return s.
value=String(this.speed),s}show(t){let{player:e}=this;this.where.replaceChildren(a("b",{text:`Step ${e.step}`}),` of ${e.count}`);let s=t.partial?"+":"";this.tally.
replaceChildren(this.fact("tokens",t.tokens===void 0?"–":w(t.tokens)+s,"Tokens so far; a dash where the log does not say"),this.fact("time",lt(t.seconds),"Tim\
e of the model calls so far"),t.list_price?this.fact("list price",G(t.cost_usd),"Cost so far at list price; the log does not tell what was paid"):this.fact("cos\
t",G(t.cost_usd),"Cost so far"))}fact(t,e,s){return a("span",{title:s,class:e==="–"?"nv-unknown":""},a("i",{text:t}),e)}get playing(){return this.timer!==null}toggle(){
this.playing?this.pause():this.play()}play(){let{player:t}=this;if(!t.count)return;t.atEnd&&!t.doc.running&&t.go(0);let e=(t.doc.free?qo:Vo)/this.speed;t.root.style.
setProperty("--nv-step-time",`${Math.round(e)}ms`),this.timer=setInterval(()=>this.tick(),e),this.playButton.replaceChildren(at("pause")),t.root.dataset.playing=
"true"}tick(){this.player.atEnd?this.pause():this.player.go(this.player.step+1)}pause(){this.timer!==null&&(clearInterval(this.timer),this.timer=null,this.playButton.
replaceChildren(at("play")),this.player.root.dataset.playing="false")}setSpeed(t){this.speed=t,this.speedBox.value=String(t),this.playing&&(this.pause(),this.play())}};async function nt(n){if(Array.isArray(n))return n;let t=Uint8Array.from(atob(n.gzip),s=>s.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream(
"gzip"));return new Response(e).json()}var Ko=460,Xo=1e3,Jo=700,W=class n{static async mount(t,e,s={}){return new n(t,e,s,await nt(e.strings))}constructor(t,e,s,o){this.root=t,this.options={deepLink:!0,
...s},this.doc=e,this.strings=o,this.linker=new et(e),this.places=new Map,this.address=new Ct(this),this.step=this.address.start(),this.stopped=new AbortController,
this.updates=0,this.hovered=null,this.colors=new Ft(t),this.prepareRoot(),this.mapBox=a("div",{class:"nv-map"}),this.paneBox=a("div",{class:"nv-pane"});let i=a(
"header",{class:"nv-head"}),r=a("div",{class:"nv-notes"}),l=a("footer",{class:"nv-foot"}),c=a("div",{class:"nv-split nv-split-column"});this.main=a("div",{class:"\
nv-main"},this.mapBox,c,this.paneBox),t.append(a("div",{class:"nv-frame"},i,r,this.main,l)),this.fillHeight(),this.head=new Pt(this,i,r),this.head.show(),this.pane=
new Et(this,this.paneBox),this.timeline=new Dt(this,l.appendChild(a("div",{class:"nv-line"}))),this.transport=new Ht(this,l),this.help=new Rt(this),this.search=
new Bt(this),this.presenter=new zt(this),this.splits=new It(this,c,this.pane.split);let h=e.frame==="geo"?Tt:Lt;this.map=new h(this.mapBox,e,this.mapApi()),this.
listen(),this.show(),Ms(this)}prepareRoot(){let{root:t,doc:e}=this;t.replaceChildren(),t.classList.add("navviz-player"),t.dataset.ready="false",t.dataset.theme=
this.options.theme??st(t),t.dataset.episode=e.episode.id,t.dataset.steps=String(this.count),t.dataset.free=String(e.free),this.options.shows&&(t.dataset.shows=this.
options.shows)}get count(){return this.doc.steps.length}get atEnd(){return this.step===this.count}get current(){return this.step===0?null:this.doc.steps[this.step-
1]}text(t){return this.strings[t]??""}nodeMark(t,e){return xs(this.doc,t,e)}mapApi(){let t=this;return{get doc(){return t.doc},options:this.options,resolve:(e,s)=>this.
resolve(e,s),hover:e=>this.lightText(e),pick:e=>this.pane.scrollTo(e),mentions:e=>this.paneBox.querySelectorAll(`[data-ref="${CSS.escape(e)}"]`).length,color:e=>this.
colors.get(e),focus:()=>re(this)}}resolve(t,e){let s=`${e} ${t}`,o=this.places.get(s)??(t.startsWith("n:")?this.nodePlace(Number(t.slice(2))):this.namedPlace(t,
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
doc,s=e.length?Ee(e,this.step,this.count,t):Cs(this.timeline.segments,this.step,this.count,t);s!==void 0&&this.go(s)}toEpisode(t){this.pause(),this.options.onAction?.(
t,this.step)}toggle(){this.transport.toggle()}pause(){this.transport.pause()}present(t){this.presenter.turn(t)}listen(){let{signal:t}=this.stopped,{root:e}=this;
e.addEventListener("pointerdown",()=>re(this),{signal:t}),e.addEventListener("mouseover",r=>this.onHover(r),{signal:t}),e.addEventListener("click",r=>this.onClick(
r),{signal:t}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>this.followTheme(),{signal:t});let{navigation:s}=window;s?.addEventListener(
"currententrychange",()=>this.address.keep(),{signal:t}),this.options.height==="fill"&&this.followWindow(t);let o=new ResizeObserver(()=>this.map.resize());o.observe(
this.mapBox);let i=new MutationObserver(()=>this.followTheme());for(let r=e.parentElement;r;r=r.parentElement)i.observe(r,{attributes:!0,attributeFilter:["class",
"style"]});t.addEventListener("abort",()=>{o.disconnect(),i.disconnect()})}onHover(t){let e=Ps(t);e!==this.hovered&&(this.hovered=e,this.lightText(e?[e]:[]),this.
map.highlight(e?[e]:[]))}onClick(t){let e=Ps(t);!e||this.mapBox.contains(t.target)||(t.stopPropagation(),this.map.panTo(e))}followTheme(){let t=this.options.theme??
st(this.root);t!==this.root.dataset.theme&&(this.root.dataset.theme=t,this.map.setTheme())}followWindow(t){window.addEventListener("resize",()=>this.fillHeight(),
{signal:t});let e=new ResizeObserver(()=>this.fillHeight());for(let s=this.root.parentElement;s;s=s.parentElement)e.observe(s);t.addEventListener("abort",()=>e.
disconnect())}fillHeight(){let{root:t,options:e}=this;if(typeof e.height=="number"&&(t.style.height=`${e.height}px`),e.height!=="fill")return;let s=t.getBoundingClientRect().
top+window.scrollY,o=t.clientWidth<Jo?Xo:Ko;t.style.height=`${Math.max(o,window.innerHeight-Math.min(s,320)-12)}px`}async update(t){let e=++this.updates,s=await nt(
t.strings);if(e!==this.updates||this.stopped.signal.aborted)return;let o=this.atEnd;this.doc=t,this.strings=s,this.linker=new et(t),this.places=new Map,this.step=
o?this.count:Math.min(this.step,this.count),this.root.dataset.steps=String(this.count),this.root.dataset.episode=t.episode.id,this.head.show(),this.timeline.build(),
this.map.update(t),this.show()}destroy(){this.pause(),this.address.forget(),this.presenter.turn(!1),this.stopped.abort(),Ls(this),this.map.destroy(),this.root.replaceChildren(),
this.root.removeAttribute("data-ready")}};function Ps(n){let t=n.target instanceof Element?n.target.closest("[data-ref]"):null;return t instanceof HTMLElement||
t instanceof SVGElement?t.dataset.ref??null:null}var he={};Ds(he,{pick:()=>ii,player:()=>si});var Yo={start:"Click where the walk starts",goal:"Click the goal",again:"Click to choose a new start"},Qo=120,ti=3e3,Rs={ground:"#f3f4f2",casing:"#d5d8d6",street:"\
#ffffff",node:"#8d97a3",start:"#1b232c",goal:"#0072b2",hover:"#00a2c7"},ei={ground:"#14181d",casing:"#0d1013",street:"#3a434e",node:"#7c8794",start:"#e8edf3",goal:"\
#56b4e9",hover:"#63e0ff"},Wt=class n{static mount(t,e,s){return new n(t,e,s)}constructor(t,e,s){this.root=t,this.doc=e,this.options=s,this.colors=Rs,t.classList.
add("navviz-pick"),this.box=a("div",{class:"nv-pick-map",role:"application","aria-label":"Map: click to choose a start and a goal"}),this.tip=a("div",{class:"nv\
-pick-tip"}),this.credit=a("div",{class:"nv-pick-credit"}),t.append(this.box,this.tip,this.credit);let o=e.frame==="geo"?{crs:L.CRS.EPSG3857,minZoom:11,maxZoom:20}:
{crs:L.CRS.Simple,minZoom:-2,maxZoom:8};this.map=L.map(this.box,{zoomControl:!0,attributionControl:!1,preferCanvas:!0,zoomSnap:.25,...o}),this.ground=L.layerGroup().
addTo(this.map),this.marks=L.layerGroup().addTo(this.map),this.map.on("click",i=>{let r=this.nearest(i.containerPoint);r!==null&&this.options.onPick(r)}),this.map.
on("mousemove",i=>this.hover(this.nearest(i.containerPoint))),this.map.on("mouseout",()=>this.hover(null)),this.sized=new ResizeObserver(()=>this.map.invalidateSize(
{animate:!1})),this.sized.observe(t),this.show(!0),this.map.setView(e.at[e.around??0]??[0,0],e.frame==="geo"?16:4),(e.frame!=="geo"||e.ids.length<ti)&&this.map.
fitBounds(L.latLngBounds(e.at).pad(.03))}update(t,e){let s=this.doc.ids.length===t.ids.length&&this.doc.ids[0]===t.ids[0];this.doc=t,this.options=e,this.show(!s)}show(t){
let e=st(this.root),s=this.root.dataset.theme!==e;this.root.dataset.theme=e,this.colors=e==="dark"?ei:Rs,this.root.style.height=`${this.options.height}px`,(t||s)&&
this.drawGround(),this.drawMarks(),this.tip.textContent=this.options.words??Yo[this.options.mode],this.credit.textContent=this.doc.attribution??""}drawGround(){
let{doc:t,colors:e}=this;this.ground.clearLayers(),this.box.style.background=e.ground;let s=t.links.map(([i,r])=>[t.at[i],t.at[r]]),o={interactive:!1,smoothFactor:0};
L.polyline(s,{...o,color:e.casing,weight:6}).addTo(this.ground),L.polyline(s,{...o,color:e.street,weight:4}).addTo(this.ground);for(let i of t.pois)L.circleMarker(
i.at,{radius:3,stroke:!1,fillColor:e.node,fillOpacity:.9}).bindTooltip(a("span",{text:i.name})).addTo(this.ground)}drawMarks(){let{doc:t,colors:e}=this;this.marks.
clearLayers(),this.hover(null),t.route.length&&L.polyline(t.route,{color:e.goal,weight:5,dashArray:"9 7",interactive:!1}).addTo(this.marks),this.mark(t.start,"S\
tart",{color:e.start,weight:3,fillColor:e.ground,fillOpacity:1});let s={color:e.goal,weight:4,fillColor:e.goal,fillOpacity:.5};this.mark(t.goal,t.more.length?"1":
"Goal",s),t.more.forEach((o,i)=>{this.mark(o,String(i+2),s)})}mark(t,e,s){if(t===null)return;L.circleMarker(this.doc.at[t],{...s,radius:8,interactive:!1}).bindTooltip(
e,{permanent:!0,direction:"right"}).addTo(this.marks)}nearest(t){let e=null,s=Qo;return this.doc.at.forEach((o,i)=>{let r=this.map.latLngToContainerPoint(o).distanceTo(
t);r<s&&(s=r,e=i)}),e}hover(t){this.lit?.remove(),this.lit=t===null?null:L.circleMarker(this.doc.at[t],{radius:7,color:this.colors.hover,weight:3,fill:!1,interactive:!1}).
addTo(this.map)}destroy(){this.sized.disconnect(),this.map.eachLayer(t=>{let e=t;e._redrawRequest&&(L.Util.cancelAnimFrame(e._redrawRequest),e._redrawRequest=null)}),
this.map.remove(),this.root.replaceChildren()}};var Gt=new WeakMap,ce=new WeakMap;async function si({data:n,parentElement:t,setTriggerValue:e}){let s=n instanceof Uint8Array?n:new Uint8Array(n),o=s.indexOf(10),
i=new TextDecoder().decode(s.subarray(0,o)),r=Gt.get(t);if(r&&(r.send=e),r?.digest===i)return r.destroy;let l=JSON.parse(new TextDecoder().decode(s.subarray(o+1)));
if(r){if(r.digest=i,r.shows===l.options.shows){let h=await r.player;r.digest===i&&await h.update(l.document)}else r.shows=l.options.shows,r.player=oi(r,l),await r.
player;return r.destroy}let c=ni(t,i,e,l);return Gt.set(t,c),await c.player,c.destroy}function ni(n,t,e,s){let o=document.createElement("div");n.append(o);let i={
digest:t,send:e,shows:s.options.shows,root:o,player:W.mount(o,s.document,Ns(s.options,()=>i)),destroy:()=>{Gt.delete(n),i.player.then(r=>{r.destroy(),o.remove()})}};
return i}function Ns(n,t){return{...n,onAction:(e,s)=>t().send("action",{name:e,step:s})}}async function oi(n,{document:t,options:e}){let[s,o]=await Promise.all(
[n.player,nt(t.strings)]);return n.shows!==e.shows||!Gt.has(n.root.parentElement)?s:(s.destroy(),new W(n.root,t,Ns(e,()=>n),o))}function ii({data:n,parentElement:t,
setTriggerValue:e}){let s={...n.options,onPick:r=>e("picked",r)},o=ce.get(t);if(o)o.update(n.document,s);else{let r=document.createElement("div");t.append(r),o=
Wt.mount(r,n.document,s),ce.set(t,o)}let i=o;return()=>{ce.delete(t),i.destroy()}}globalThis.NavVizPlayer=W;globalThis.NavVizStreamlit=he;window.dispatchEvent(new Event("navviz-code"));})();
