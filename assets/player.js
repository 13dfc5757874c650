/* Built from assets/player/src by `npm run build`; do not edit. */
"use strict";(()=>{var fs=Object.defineProperty;var ms=(o,t)=>{for(var e in t)fs(o,e,{get:t[e],enumerable:!0})};var gs=new Set(["class","text","on","data","style"]);function a(o,t={},...e){let s=document.createElement(o);t.class&&(s.className=t.class),t.text!==void 0&&t.text!==
null&&(s.textContent=String(t.text));for(let[n,i]of Object.entries(t.on??{}))s.addEventListener(n,i);for(let[n,i]of Object.entries(t.data??{}))s.dataset[n]=String(
i);for(let[n,i]of Object.entries(t.style??{}))s.style.setProperty(n,i);for(let[n,i]of Object.entries(t))gs.has(n)||i===void 0||i===null||i===!1||s.setAttribute(
n,i===!0?"":String(i));for(let n of e.flat())n!=null&&n!==!1&&s.append(n);return s}var ys="http://www.w3.org/2000/svg";function g(o,t={},...e){let s=document.createElementNS(
ys,o);for(let[n,i]of Object.entries(t))s.setAttribute(n,String(i));return s.append(...e),s}var k=o=>o.preventDefault();function tt(o,t,e,s,n){let i=a("details",
o,t,e);return i.open=s,t.addEventListener("click",()=>n(!i.open)),i}var xs={first:"M6 5v14M19 5 9 12l10 7z",previous:"M17 5 7 12l10 7z",play:"M7 4l13 8-13 8z",pause:"\
M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",next:"M7 5l10 7-10 7z",last:"M18 5v14M5 5l10 7-10 7z",keys:"M12 17h.01M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.1",present:"\
M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",search:"M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",copy:"M9 9h11v11H9zM5 15H4V4h11v1",closer:"M12 5\
v14M5 12h14",farther:"M5 12h14",whole:"M4 9V5a1 1 0 0 1 1-1h4M20 9V5a1 1 0 0 0-1-1h-4M4 15v4a1 1 0 0 0 1 1h4M20 15v4a1 1 0 0 1-1 1h-4",close:"M12 3v3M12 18v3M3 \
12h3M18 12h3M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",tiles:"M9 4 3.5 6.5v13L9 17l6 3 5.5-2.5v-13L15 7 9 4zM9 4v13M15 7v13",layers:"M12 4 3 9l9 5 9-5zM4 13l8 4.5L20 1\
3",plan:"M4 4h16v16H4zM4 11h7V4M11 20v-5h9",both:"M3 5h18v14H3zM12 5v14",scene:"M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5"},ws=new Set(["fi\
rst","previous","play","pause","next","last"]);function et(o){let t=ws.has(o)?"nv-icon nv-filled":"nv-icon";return g("svg",{viewBox:"0 0 24 24",class:t,"aria-hi\
dden":"true"},g("path",{d:xs[o]}))}function w(o,t,e,s={}){return a("button",{...{type:"button",class:"nv-button",title:t,"aria-label":t,data:s},on:{mousedown:k,
click:e}},et(o))}function x(o,t=0){return o==null?"–":o.toLocaleString("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})}function st(o){return o==null?"–":`$${x(o,o<
.1?4:2)}`}function ot(o){if(o==null)return"–";if(o<90)return`${x(o,1)} s`;let t=Math.round(o);return`${Math.floor(t/60)} min ${t%60} s`}function T(o,t=1){return o==
null?"–":`${x(o,t)} m`}var nt=o=>String(Math.round(o*1e3)/1e3),z=(o,t,e)=>`${x(o)} ${o===1?t:e}`,it=o=>o.length>12?`${o.slice(0,6)}…`:o;var Yt=(o,t)=>Math.atan2(t[0]-o[0],t[1]-o[1])*180/Math.PI,Qt=o=>((o+180)%360+360)%360-180;function Rt(o,t,e){let s=t*Math.PI/180;return[o[0]+e*Math.sin(s),o[1]+
e*Math.cos(s)]}var te=o=>Math.floor(((o%360+360)%360+22.5)/45)%8;function se(o){let t=o.house.rooms.length?bs(o):vs(o);return ks(o),Ss(o),Ms(o),t}function bs(o){let{color:t}=o.api,e=[],s=o.house.rooms.filter(n=>n.floor===o.floor);
for(let{box_m:[n,i,r,l]}of s){let h=o.on("ground",{color:t("mute"),weight:1.5,fillColor:t("paper"),fillOpacity:1,lineJoin:"miter"});e.push({layer:o.add(L.rectangle(
[[i,n],[l,r]],h),"ground"),width_m:.1,least:1.5})}for(let{at_m:[n,i]}of o.house.doors.filter(r=>r.floor===o.floor)){let r=s.some(({box_m:[p,,d]})=>Math.abs(p-n)<
.01||Math.abs(d-n)<.01),[l,h]=r?[0,.45]:[.45,0],c=o.on("ground",{color:t("paper"),lineCap:"butt"});e.push({layer:o.add(L.polyline([[i-h,n-l],[i+h,n+l]],c),"grou\
nd"),width_m:.16,least:3})}return e}function vs(o){let{links:t}=o.doc,e=[];for(let r=0;r<t.length;r+=2)o.here(t[r])&&o.here(t[r+1])&&e.push(o.line([t[r],t[r+1]]));
let s=o.api.color("street"),n=o.on("ground",{stroke:!1,fillColor:s,fillOpacity:1});for(let r of oe(o))o.add(L.circle(o.spotOf(r),{...n,radius:1.7/2}),"ground");
return e.length?[{layer:o.add(L.polyline(e,o.on("ground",{color:s,smoothFactor:0})),"ground"),width_m:1.7,least:4}]:[]}var oe=o=>o.doc.nodes.ids.map((t,e)=>e).filter(
t=>o.here(t));function ks(o){let{links:t}=o.doc,e=o.api.color("node"),s=[],n=[];for(let i=0;i<t.length;i+=2){let[r,l]=[t[i],t[i+1]];o.here(r)&&o.here(l)?s.push(
o.line([r,l])):o.here(r)?n.push(ee(o,r,l)):o.here(l)&&n.push(ee(o,l,r))}o.add(L.polyline(s,o.on("ground",{color:e,weight:1.1})),"ground"),o.ways=n}function ee(o,t,e){
let{color:s}=o.api,[n,i]=[o.metresOf(t),o.metresOf(e)],r=Math.hypot(i[0]-n[0],i[1]-n[1])||1,[l,h]=[(i[0]-n[0])/r,(i[1]-n[1])/r],c=[];for(let p=.28;p<r;p+=.28){let[
d,u]=[n[0]+l*p,n[1]+h*p];c.push([[u+l*.32,d-h*.32],[u-l*.32,d+h*.32]])}return o.add(L.polyline([o.line([t,e])],o.on("ground",{color:s("node"),weight:1.1,dashArray:"\
3 3"})),"ground"),o.add(L.polyline(c,o.on("ground",{color:s("mute"),weight:1.4,lineCap:"butt"})),"ground"),{spot:o.spotOf(e),up:i[2]>n[2],floor:o.floorOf(e)??0}}
function Ss(o){let{color:t}=o.api,e=o.on("ground",{radius:2.6,stroke:!1,fillColor:t("poi"),fillOpacity:1}),s=o.on("ground",{radius:3,color:t("poi"),weight:1.5,fillColor:t(
"ground"),fillOpacity:1});for(let n of oe(o))o.add(L.circleMarker(o.spotOf(n),o.stairs.has(n)?s:e),"ground")}function Ms(o){if(!o.layers.shows("pois"))return;let t=o.
on("ground",{radius:2.6,stroke:!1,fillColor:o.api.color("landmark"),fillOpacity:.55});for(let e of o.doc.pois)o.placeHere(e.at)&&o.add(L.circleMarker(o.spot(e.at),
t),"ground")}var rt=3;function ne(o){return!!o.observation?.format.startsWith("panorama")||o.panels.some(t=>t.kind==="directions")}function ie(o,t,e){let{color:s}=o.api,n=o.
metresOf(t),i=te(e),r=(c,p)=>o.spot(Rt(n,c,p)),l=Array.from({length:10},(c,p)=>r(i*45-22.5+5*p,rt));o.add(L.polygon([o.spotOf(t),...l],o.on("step",{stroke:!1,fillColor:s(
"seen"),fillOpacity:.2})),"step"),o.add(L.circle(o.spotOf(t),{...o.on("step",{color:s("seen-ink"),weight:1,dashArray:"2 4",fill:!1}),radius:rt}),"step");let h=Array.
from({length:8},(c,p)=>[r(p*45+22.5,.55*rt),r(p*45+22.5,rt)]);o.add(L.polyline(h,o.on("step",{color:s("seen-ink"),weight:1,opacity:.5})),"step")}function re(o,t,e){
let s=typeof t.node=="number"?o.metresOf(t.node):null;return(t.observation?.pois??[]).flatMap(n=>{let i=/^(left|right) ([\d.]+)/.exec(n.direction??"");if(i&&e!==
void 0&&s&&n.distance_m!==void 0){let r=e+(i[1]==="left"?-1:1)*Number(i[2]);return[{...n,at:[...Rt(s,r,n.distance_m),s[2]]}]}return n.at&&!n.approximate?[{...n,
at:n.at}]:[]})}var Ls=Math.PI/4,Ts=1.04,[As,Os]=[.2,6],at=(o,t)=>o[0]*t[0]+o[1]*t[1]+o[2]*t[2],ae=(o,t)=>[o[1]*t[2]-o[2]*t[1],o[2]*t[0]-o[0]*t[2],o[0]*t[1]-o[1]*t[0]],le=o=>{let t=Math.
hypot(...o);return[o[0]/t,o[1]/t,o[2]/t]};function ce(o,t,e){let s=le(t),n=le(ae([0,0,1],s)),i=ae(s,n),r=Math.tan(Ls/2)/Ts,[l,h]=he(o,n,s,r*e),[c,p]=he(o,i,s,r),
d=Math.min(Os,Math.max(As,h,p)),u=m=>[0,1,2].map(y=>n[y]*l+i[y]*c+s[y]*m);return{eye:u(d),center:u(0)}}function he(o,t,e,s){let n=Math.max(...o.map(r=>at(r,e)+at(
r,t)/s)),i=Math.max(...o.map(r=>at(r,e)-at(r,t)/s));return[s*(n-i)/2,(n+i)/2]}var v={type:"scatter3d",hoverinfo:"skip",showlegend:!1},pe=.9,de=36;function Nt(o){let{at:t,ids:e}=o.nodes;return s=>typeof s=="number"&&s<e.length?t.slice(3*s,
3*s+3):null}function A(o){let t=o.filter(e=>e!==null);return{x:t.map(e=>e[0]),y:t.map(e=>e[1]),z:t.map(e=>e[2])}}function zt(o){let t={x:[],y:[],z:[]};for(let e of o){
let{x:s,y:n,z:i}=A(e);t.x.push(...s,null),t.y.push(...n,null),t.z.push(...i,null)}return t}function ue(o,t){let e=Nt(o),s=o.reference.map(e),n=e(o.episode.goal)??
s.at(-1)??null,i=[e(o.episode.start),n],r=["Start","Goal"].filter((p,d)=>i[d]),l=[];for(let p=0;p<o.links.length;p+=2)l.push([e(o.links[p]),e(o.links[p+1])]);let h=[
"circle-open","diamond"].filter((p,d)=>i[d]),c=[t("ink"),t("reference")].filter((p,d)=>i[d]);return[...Cs(o,t),{...v,name:"links",mode:"lines",...zt(l),line:{color:t(
"node"),width:1.6}},{...v,name:"viewpoints",mode:"markers",...A(o.nodes.ids.map((p,d)=>e(d))),hoverinfo:"none",marker:{size:3.4,color:Es(o,t),line:{width:0}}},{
...v,name:"reference",mode:"lines",...A(s),line:{color:t("reference"),width:7,dash:"dash"}},...$s(n,o.episode.success_radius_m,t("reference")),{...v,name:"ends",
mode:"markers+text",...A(i),text:r,textposition:"top center",textfont:{color:t("ink"),size:13},marker:{size:6,symbol:h,color:c,line:{width:3,color:t("ink")}}},...Ps(
o,t)]}function Bt(o,t,e,s){let n=Nt(o),i=(p,d)=>o.steps.slice(p,d).flatMap(u=>u.path.length?u.path:[u.node]).map(n),r=o.steps[e-1],l=n(e===0?o.episode.start:r?.
node),h=e===0?o.episode.start_heading_deg:r?.heading_deg,c=i(0,e);return[{...v,name:"ahead",mode:"lines",...A([c.at(-1)??null,...i(e,o.steps.length)]),line:{color:t(
"agent"),width:2,dash:"dot"}},{...v,name:"walked",mode:"lines",...A(c),line:{color:t("agent"),width:6}},{...v,name:"facing",mode:"lines",...A(_s(l,h)),line:{color:t(
"agent"),width:9}},{...v,name:"agent",mode:"markers",...A([l]),marker:{size:8,color:t("agent"),line:{width:2,color:t("paper")}}},{...v,name:"light",mode:"marker\
s",...A(s),marker:{size:11,color:t("lit"),opacity:.8}}]}function _s(o,t){if(!o||t===void 0)return[];let e=t*Math.PI/180;return[o,[o[0]+pe*Math.sin(e),o[1]+pe*Math.
cos(e),o[2]]]}function Es(o,t){let e=[t("mute"),t("poi"),t("landmark")];return(o.indoor?.floor_of??[]).map(s=>e[s%e.length])}function $s(o,t,e){if(!o)return[];let[
s,n,i]=o,r=h=>Array.from({length:de+1},(c,p)=>{let d=2*Math.PI*p/de;return h(t*Math.cos(d),t*Math.sin(d))}),l=[r((h,c)=>[s+h,n+c,i]),r((h,c)=>[s+h,n,i+c]),r((h,c)=>[
s,n+h,i+c])];return[{...v,name:"goal sphere",mode:"lines",...zt(l),opacity:.55,line:{color:e,width:2}}]}function Cs(o,t){let{rooms:e,floors:s}=o.indoor??{rooms:[],
floors:[]};if(!e.length)return[];let n={x:[],y:[],z:[],i:[],j:[],k:[]},i=[];for(let{box_m:[r,l,h,c],floor:p}of e){let d=n.x.length,u=s[p].level_m;n.x.push(r,h,h,
r),n.y.push(l,l,c,c),n.z.push(u,u,u,u),n.i.push(d,d),n.j.push(d+1,d+2),n.k.push(d+2,d+3),i.push([[r,l,u],[h,l,u],[h,c,u],[r,c,u],[r,l,u]])}return[{type:"mesh3d",
name:"rooms",...n,color:t("area-building"),opacity:.35,hoverinfo:"skip",showlegend:!1},{...v,name:"walls",mode:"lines",...zt(i),line:{color:t("mute"),width:1.5}}]}
function Ps(o,t){if(!o.compare)return[];let e=o.compare.steps.flatMap(s=>s.path.length?s.path:[s.node]).map(Nt(o));return[{...v,name:"compared",mode:"lines",...A(
e),line:{color:t("other"),width:5,dash:"longdashdot"}}]}var Rs=[-.22,-.78,.68],fe={displayModeBar:!1,responsive:!1,scrollZoom:!0},j=class o{constructor(t,e,s,n){this.box=t,this.doc=e,this.api=s,this.onPoint=n,this.step=
0,this.ready=!1,this.gone=!1,this.busy=!1,this.stale=!1,this.lit=[],this.note=a("p",{class:"nv-nothing",text:"Loading the 3-D scene …"}),this.plot=a("div",{class:"\
nv-plot"}),t.append(this.plot,this.note)}static possible(t){return!!(globalThis.Plotly||t.options.plotly)}static loading=null;static async load(t){if(!globalThis.
Plotly&&t&&(o.loading??=new Promise((e,s)=>{let n={load:()=>e(),error:()=>s(new Error("not reachable"))};document.head.append(a("script",{src:t,async:!0,on:n}))}),
await o.loading.catch(()=>{o.loading=null})),!globalThis.Plotly)throw new Error("plotly's script is not there");return globalThis.Plotly}async start(t){this.step=
t;try{this.plotly=await o.load(this.api.options.plotly)}catch{this.note.textContent="The 3-D scene is not there: plotly's script could not be loaded.";return}if(!this.
gone){if(await this.plotly.newPlot(this.plot,this.traces(),this.layout(),fe),this.gone){this.plotly.purge(this.plot);return}this.note.remove(),this.ready=!0,this.
box.dataset.ready="true",this.plot.on("plotly_hover",e=>this.onPoint(ge(e))),this.plot.on("plotly_unhover",()=>this.onPoint(null)),this.plot.on("plotly_click",e=>{
let s=ge(e);s&&this.api.pick(s)}),this.resize(),this.step!==t&&this.later()}}traces(){let t=ue(this.doc,this.api.color);return this.moving=t.length,[...t,...Bt(
this.doc,this.api.color,this.step,this.lit)]}layout(){let t={visible:!1,showgrid:!1,zeroline:!1,showspikes:!1},e=this.api.color("ground"),s=this.edges(),[n,i,r]=s.
map(M=>({...t,range:M})),l=s.map(([M,V])=>V-M),h=Math.max(...l),[c,p,d]=l.map(M=>M/h),{clientWidth:u,clientHeight:m}=this.box,y=this.corners().map(M=>M.map((V,U)=>(V-
(s[U][0]+s[U][1])/2)/h)),{eye:Z,center:E}=ce(y,Rs,(u||1)/(m||1)),$={x:0,y:0,z:1},N={eye:me(Z),center:me(E),up:$,projection:{type:"perspective"}};return{margin:{
l:0,r:0,t:0,b:0},paper_bgcolor:e,showlegend:!1,uirevision:"stay",hovermode:"closest",width:u||300,height:m||300,scene:{aspectmode:"manual",aspectratio:{x:c,y:p,
z:d},xaxis:n,yaxis:i,zaxis:r,uirevision:"stay",bgcolor:e,camera:N}}}corners(){let{nodes:t,indoor:e}=this.doc,s=t.ids.map((n,i)=>t.at.slice(3*i,3*i+3));for(let{box_m:n,
floor:i}of e?.rooms??[]){let r=e?.floors[i].level_m??0;for(let l of[n[0],n[2]])for(let h of[n[1],n[3]])s.push([l,h,r])}return s.length?s:[[0,0,0]]}edges(){let t=this.
corners();return[0,1,2].map(e=>[Math.min(...t.map(s=>s[e]))-.4,Math.max(...t.map(s=>s[e]))+.4])}showStep(t){this.step=t,this.later()}highlight(t){this.lit=t,this.
later()}later(){this.stale=!0,!(!this.ready||this.busy)&&(this.busy=!0,requestAnimationFrame(()=>setTimeout(()=>this.follow(),0)))}async follow(){for(;this.stale&&
!this.gone&&this.plotly;){this.stale=!1;let t=Bt(this.doc,this.api.color,this.step,this.lit),e=n=>t.map(i=>i[n]),s={x:e("x"),y:e("y"),z:e("z")};await this.plotly.
restyle(this.plot,s,t.map((n,i)=>(this.moving??0)+i)),await new Promise(n=>setTimeout(n,0))}this.busy=!1}redraw(){if(!this.ready)return;let t=this.plot.layout.scene?.
camera,e=this.layout();t&&Object.assign(e.scene,{camera:t}),this.plotly?.react(this.plot,this.traces(),e,fe)}update(t){this.doc=t,this.redraw()}resize(){let{clientWidth:t,
clientHeight:e}=this.box;this.ready&&t>20&&this.plotly?.relayout(this.plot,{width:t,height:e})}destroy(){this.gone=!0,this.ready&&this.plotly?.purge(this.plot)}},
me=([o,t,e])=>({x:o,y:t,z:e});function ge({points:o}){let t=o?.[0];return t?.data?.name==="viewpoints"?`n:${t.pointNumber}`:null}function ye(o,{tools:t,legend:e,credit:s,floors:n}){let i=Math.min(e?e[1]:o.y,s?s[1]:o.y),r=t?o.x-t[0]:0,l=n?n[2]:0,h=p=>Math.min(p+22,.3*o.x),c=p=>Math.min(p+22,
.3*o.y);return[h(l),c(0),h(r),c(o.y-i)]}var Ns=(o,t)=>o[0]<t[2]&&o[2]>t[0]&&o[1]<t[3]&&o[3]>t[1],zs=(o,t)=>o[0]>=t[0]&&o[1]>=t[1]&&o[2]<=t[2]&&o[3]<=t[3];function xe({at:[o,t],width:e,height:s,gap:n,within:i,
left:r,must:l},h,c){let p=s/2,d=[o+n,t-p,o+n+e,t+p],u=[o-n-e,t-p,o-n,t+p],m=[...r?[u,d]:[d,u],[o-e/2,t-n-s,o+e/2,t-n],[o-e/2,t+n,o+e/2,t+n+s]],y=m.filter(E=>zs(
E,i??c));return y.find(E=>!h.some($=>Ns(E,$)))??(l?y[0]??m[0]:null)}function we(o,t){let e=[];for(let s=0;s+1<o.length;s+=1){let[n,i]=[o[s],o[s+1]],r=Math.min(60,
Math.max(1,Math.ceil(Math.hypot(i[0]-n[0],i[1]-n[1])/(2*t))));for(let l=0;l<=r;l+=1){let h=n[0]+(i[0]-n[0])*l/r,c=n[1]+(i[1]-n[1])*l/r;e.push([h-t,c-t,h+t,c+t])}}
return e}var Bs=120,be=32,js=90,Hs=.86,Ds=11,lt=class{constructor(t){this.view=t,this.tagGroup=L.layerGroup().addTo(t.map),this.nameGroup=L.layerGroup().addTo(t.map),this.
taken=[],this.said=[],this.waiting=void 0,this.type=null}forget(){this.type=null}tags(){let{view:t}=this;if(!(t.gone||!t.map.getSize().x)){this.tagGroup.clearLayers(),
this.taken=[...this.furniture(),...this.signs(),...this.paths()],this.said=[];for(let e of t.tags())this.set(e,this.tagGroup)}}soon(){clearTimeout(this.waiting),
this.waiting=setTimeout(()=>this.names(),Bs)}names(){let{view:t}=this;if(t.gone||!t.map.getSize().x)return;this.tags(),this.nameGroup.clearLayers();let e=t.nameRoom();
for(let s of t.names()){if(e<=0)return;this.set(s,this.nameGroup)&&(e-=1)}}set({spot:t,text:e,look:s,gap:n=8,weight:i=500,size:r=Hs,left:l,must:h,centred:c,within:p},d){
let{map:u}=this.view,m=u.latLngToContainerPoint(t),y=u.getSize();if(this.said.some(([Pt,us])=>Pt===e&&us.distanceTo(m)<js))return!1;let Z=e.length>be?`${e.slice(
0,be-2).trimEnd()}…`:e,[E,$]=this.measure(Z,i,r),N=p?.map(Pt=>u.latLngToContainerPoint(Pt)),M=N?[N[0].x,N[0].y,N[1].x,N[1].y]:void 0,V=[m.x,c?m.y+$/2:m.y],U=[
2,2,y.x-2,y.y-2],Q=c?this.centred(m,E,$,U,M):xe({at:V,width:E,height:$,gap:n,within:M,left:l,must:h},this.taken,U);if(!Q)return!1;this.taken.push(Q),this.said.push(
[e,m]);let cs={left:`${Q[0]-m.x}px`,top:`${Q[1]-m.y}px`,width:`${E}px`,height:`${$}px`,"font-size":`${$/1.3}px`,"font-weight":String(i)},ps=a("div",{class:`nv-t\
ag ${s}`,text:Z,style:cs}),ds=L.divIcon({html:ps,className:"nv-tag-icon",iconSize:[0,0]});return d.addLayer(L.marker(t,{pane:"nv-labels",interactive:!1,keyboard:!1,
icon:ds})),!0}centred(t,e,s,n,i){let r=[t.x-e/2,t.y,t.x+e/2,t.y+s],l=i??n;return e>l[2]-l[0]||s>l[3]-l[1]?null:r}measure(t,e,s){this.type??=this.readType();let n=Math.
max(Ds,this.type.px*s);return this.type.pen.font=`${e} ${n}px ${this.type.face}`,[Math.ceil(this.type.pen.measureText(t).width)+4,n*1.3]}readType(){let t=getComputedStyle(
this.view.box),e=document.createElement("canvas").getContext("2d");if(!e)throw new Error("this browser has no canvas");return{pen:e,px:Number.parseFloat(t.fontSize),
face:t.fontFamily}}furniture(){let{view:t}=this,e=[t.tools,t.legend.box,t.credit,...t.plan.querySelectorAll(".nv-floors, .leaflet-control-scale")],s=[];for(let n of e){
let i=t.boxOf(n);i&&s.push([i[0]-3,i[1]-3,i[2]+3,i[3]+3])}return s}signs(){let{view:t}=this,e=[],s=(i,r)=>{let l=t.map.latLngToContainerPoint(i);e.push([l.x-r,l.
y-r,l.x+r,l.y+r])};for(let i of[t.groups.ends,t.groups.step])i.eachLayer(r=>{r instanceof L.Marker&&s(r.getLatLng(),10)});let n=t.spotAt(t.standing);return n&&s(
n,15),e}paths(){let{view:t}=this;return[t.doc.reference,t.walked].map(s=>t.line(s.filter(n=>t.here(n)))).flatMap(s=>{let n=s.map(i=>t.map.latLngToContainerPoint(
i));return we(n.map(i=>[i.x,i.y]),5)})}destroy(){clearTimeout(this.waiting)}};function ht(o){try{return JSON.parse(localStorage.getItem(`navviz.${o}`)??"null")}catch{return null}}function q(o,t){try{localStorage.setItem(`navviz.${o}`,JSON.
stringify(t))}catch{}}var Fs={reference:"Reference path",other:"Other run",candidates:"Candidates",seen:"Visible area",memory:"The agent's map",pois:"Places"},ct=class{constructor(t){
this.onChange=t,this.off=new Set;let e=ht("layers.off");if(Array.isArray(e))for(let s of e)this.off.add(String(s));this.list=a("div",{class:"nv-layer-list",hidden:!0}),
this.button=w("layers","Layers",()=>this.toggle(),{tool:"layers"})}shows(t){return!this.off.has(t)}offer(t){this.button.hidden=!t.length,this.list.replaceChildren(
...t.map(e=>this.row(e)))}row(t){let s=a("input",{type:"checkbox",data:{layer:t},on:{change:()=>this.set(t,s.checked)}});return s.checked=this.shows(t),a("label",
{},s,a("span",{text:Fs[t]}))}set(t,e){e?this.off.delete(t):this.off.add(t),q("layers.off",[...this.off]),this.onChange()}toggle(t=this.list.hidden!==!1){this.list.
hidden=!t,this.button.classList.toggle("nv-on",t)}};var pt=class{constructor(){this.box=a("div",{class:"nv-legend"}),this.said=""}show(t){let e=t.filter(n=>n!==null&&n!==!1&&n!==void 0),s=JSON.stringify(e);s!==this.
said&&(this.said=s,this.box.hidden=!e.length,this.box.replaceChildren(...e.map(([n,i])=>a("span",{},a("i",{class:`nv-key nv-key-${n}`}),i))))}room(t){let e=[...this.
box.childNodes],{said:s}=this,{hidden:n}=this.box;this.show(t);let{offsetLeft:i,offsetTop:r,offsetWidth:l,offsetHeight:h}=this.box;return this.said=s,this.box.hidden=
n,this.box.replaceChildren(...e),h?[i,r,i+l,r+h]:void 0}};var K={explored:{color:"reference",opacity:.95,word:"explored"},seen:{color:"rejected",opacity:.9,word:"seen"},"pruned now":{color:"bad",dashArray:"3 3",opacity:.95,
word:"pruned now"},"pruned before":{color:"rejected",dashArray:"2 4",opacity:.45,word:"pruned before"}},Is=9,dt=o=>typeof o=="string"?`nv-place-${o.replaceAll(/[^a-z]+/g,
"-")}`:"";function jt(o){let t=o?.panels.find(s=>s.kind==="graph"&&Array.isArray(s.data.states));return(Array.isArray(t?.data.nodes)?t.data.nodes:[]).filter(s=>typeof s?.
id=="string"&&typeof s.state=="string")}var ve=o=>o.steps.some(t=>jt(t).length>0),ke=o=>new Set(o.steps.flatMap(t=>jt(t).map(e=>e.state)).filter(t=>t in K)),Se=o=>Object.
keys(K).filter(t=>o.has(t)).map(t=>[dt(t).replace("nv-",""),K[t].word]);function Me(o,t){let e=new Set,s=jt(t);if(!s.length)return e;let n=new Map(o.doc.nodes.ids.
map((i,r)=>[i,r]));for(let{id:i,state:r}of s){let l=n.get(i),h=Object.hasOwn(K,r)?K[r]:void 0,c=o.spotAt(l);if(!h||!c||!o.here(l))continue;let{color:p,dashArray:d,
opacity:u}=h,m={radius:Is,color:o.api.color(p),weight:2.6,opacity:u,dashArray:d,fill:!1};o.add(L.circleMarker(c,o.on("step",m)),"step"),e.add(r)}return e}var Gs=o=>o.replace(/[.*+?^${}()|[\]\\]/g,"\\$&"),b=o=>`s:${o.toLowerCase()}`,X=class{constructor(t){this.tokens=new Map(t.nodes.ids.map((e,s)=>[e,`n:${s}`])),this.
letters=new Map,this.baseLetters=new Map,this.names=new Set;for(let e of t.planning.landmarks)this.addName(e.name,e.letter);for(let e of t.steps)for(let s of e.
observation?.pois??[])this.addName(s.name);this.exact=new Set;for(let e of t.pois.slice(0,400))e.kind&&e.name.length>3&&!this.names.has(e.name)&&this.exact.add(
e.name);this.lower=new Set([...this.names].map(e=>e.toLowerCase())),this.pattern=this.makePattern()}addName(t,e){t&&(t.length>2&&this.names.add(t),e&&this.baseLetters.
set(e,b(t)))}makePattern(){let t=[...this.tokens.keys()].filter(n=>!/^[\w-]+$/.test(n)).slice(0,3e3),e=[...[...this.names].slice(0,400),...this.exact,...t].sort(
(n,i)=>i.length-n.length).map(Gs),s=e.length?`(?<![\\p{L}\\p{N}])(${e.join("|")})(?![\\p{L}\\p{N}])`:"($^)";return new RegExp(`${s}|([\\w-]+)|["'\`(]([A-Z])["'\`)]`,
"giu")}setStep(t){this.letters=new Map(this.baseLetters);for(let e of t?.observation?.pois??[])e.letter&&this.letters.set(e.letter,b(e.name))}pieces(t){let e=[],
s=0;for(let n of t.matchAll(this.pattern)){let i=this.refOf(n,t);i&&(n.index>s&&e.push({text:t.slice(s,n.index),ref:null}),e.push({text:n[0],ref:i}),s=n.index+n[0].
length)}return s<t.length&&e.push({text:t.slice(s),ref:null}),e}refOf(t,e){if(t[1])return this.tokens.get(t[1])??(this.isName(t[1])?b(t[1]):null);if(t[3])return this.
letters.get(t[3])??null;let s=t[2],n=this.tokens.get(s)??null;return n&&/^\d{1,4}$/.test(s)&&!/["'`]/.test(e[(t.index??0)-1]??"")?null:n}isName(t){return this.exact.
has(t)||this.lower.has(t.toLowerCase())}letter(t){return/^[A-Z]$/.test(t)?this.letters.get(t):void 0}};var Ht=14,Ws=10,ut=class{constructor(t){this.view=t,this.mouse=null,this.waiting=null,this.pointed=void 0,this.tip=a("div",{class:"nv-map-tip",hidden:!0}),t.plan.
append(this.tip),this.listen()}listen(){let{map:t}=this.view;t.on("mousemove",e=>{this.mouse=e,this.waiting??=requestAnimationFrame(()=>{this.waiting=null,this.
point()})}),t.on("mouseout",()=>{this.mouse=null,this.leave()}),t.on("movestart",()=>{this.tip.hidden=!0}),t.on("click",e=>{let s=this.nearest(e.containerPoint);
s&&this.view.api.pick(s.ref)})}point(){if(!this.mouse||this.view.gone)return;let t=this.nearest(this.mouse.containerPoint);if(t?.ref!==this.pointed){if(!t){this.
leave();return}this.pointed=t.ref,this.view.api.hover([t.ref]),this.view.highlight([t.ref]),this.showTip(t)}}leave(){!this.pointed&&this.tip.hidden||(this.pointed=
void 0,this.tip.hidden=!0,this.view.api.hover([]),this.view.highlight([]))}nearest(t){let{view:e}=this,s=e.map.containerPointToLatLng(t),n=e.map.containerPointToLatLng(
t.add([Ht,-Ht])),[i,r]=[Math.abs(n.lat-s.lat),Math.abs(n.lng-s.lng)],l=null,h=Ht,c=(d,u)=>{if(Math.abs(d[0]-s.lat)>i||Math.abs(d[1]-s.lng)>r)return;let m=e.map.
latLngToContainerPoint(d),y=m.distanceTo(t);y>=h||(h=y,l={...u,p:m})},p=e.doc.nodes.ids.length;for(let d=0;d<p;d+=1)e.here(d)&&c(e.spotOf(d),{ref:`n:${d}`,node:d});
h=Math.min(h,Ws);for(let{at:d,...u}of e.shownPois())c(e.spot(d),{ref:b(u.name),poi:u});return l}showTip({ref:t,node:e,poi:s,p:n}){let{view:i}=this,r=s?[a("b",{text:s.
name}),s.kind??"",s.distance_m===void 0?"":`${s.distance_m.toFixed(1)} m away`]:[a("b",{class:"nv-id",text:it(i.doc.nodes.ids[e??0])}),...i.nodeFacts(e??0)],l=i.
api.mentions(t);l&&r.push(`in the text ${l===1?"once":z(l,"time","times")}`),this.tip.replaceChildren(...r.filter(Boolean).map(c=>a("div",{},c))),this.tip.hidden=
!1;let h=i.map.getSize();this.tip.style.left=`${Math.min(n.x+16,h.x-this.tip.offsetWidth-8)}px`,this.tip.style.top=`${Math.max(8,Math.min(n.y+14,h.y-this.tip.offsetHeight-
8))}px`}destroy(){this.waiting!==null&&cancelAnimationFrame(this.waiting)}};function C(o,t,{text:e="",title:s="",ref:n,pane:i="nv-signs",raise:r=0}={}){let l=a("div",{class:`nv-sign ${t}`,title:s,data:n?{ref:n}:{}},a("span",{text:e})),h=L.
divIcon({html:l,className:"nv-sign-icon",iconSize:[22,22]});return L.marker(o,{icon:h,pane:i,keyboard:!1,interactive:!1,zIndexOffset:r})}var ft=class{constructor(){
let t=g("svg",{viewBox:"-16 -16 32 32"},g("circle",{r:13}),g("path",{d:"M0-9 6.5 8 0 4.6-6.5 8z"}));this.arrow=a("div",{class:"nv-agent"}),this.arrow.append(t);
let e=L.divIcon({html:this.arrow,className:"nv-agent-icon",iconSize:[30,30]});this.marker=L.marker([0,0],{icon:e,pane:"markerPane",interactive:!1,keyboard:!1,zIndexOffset:900})}place(t,e,s,n){
if(!e){this.marker.remove();return}this.marker.setLatLng(e).addTo(t),this.arrow.classList.toggle("nv-no-heading",s===void 0),this.arrow.classList.toggle("nv-els\
ewhere",n),this.arrow.style.setProperty("--nv-heading",`${s??0}deg`)}remove(){this.marker.remove()}};function O(o,t,e){let s=o[t];if(s.path.length)return s.path;if(s.node===void 0)return[];let n=t+1<o.length?o[t+1].node:e;return n===void 0||n===s.node?[s.node]:
[s.node,n]}function J(o,t,e,s){let n=[],i=[],r=e>0?O(o,e-1,t).at(-1):void 0;for(let l=e;l<s;l+=1){let h=new Set(o[l].jumps);O(o,l,t).forEach((c,p)=>{let d=c===r,
u=n.at(-1);(p>0?!h.has(p-1):d)&&u?d||u.push(c):(r!==void 0&&!d&&i.push([r,c]),n.push([c])),r=c})}return{lines:n.filter(l=>l.length>1),leaps:i}}function Dt(o){let t=new Map,
e=(s,n)=>{let i=t.get(s);i?i.add(n):t.set(s,new Set([n]))};for(let s=0;s<o.length;s+=2)e(o[s],o[s+1]),e(o[s+1],o[s]);return t}function Le(o,t,e){let s=new Set(t);
return new Map(o.map(n=>[n,Zs(n,s,e)]))}function Zs(o,t,e){if(o.state!=="rejected")return o.state;if(t.has(o.node))return"way";let s=typeof o.node=="number"?e.get(
o.node):void 0;return!s||[...s].some(i=>t.has(i))||t.size===0?"branch":"beyond"}function Te(o,t){let e={leaps:Vs(o)};if(!t)return e;let s=O(o.doc.steps,o.step-1,o.end);if(t.observation&&o.layers.shows("seen")&&(e.seen=Us(o,t.observation)),o.
drawAround(t),o.layers.shows("memory")&&(e.memory=Me(o,t)),o.layers.shows("candidates")&&Object.assign(e,qs(o,t,s)),Js(o,s),o.layers.shows("pois"))for(let i of o.
seen())Ys(o,i);let n=t.decision?.legal===!1?o.spotAt(t.decision.target):null;return n&&o.here(t.decision?.target)&&o.add(C(n,"nv-sign-bad",{title:"Illegal decis\
ion",pane:"nv-chosen"}),"step"),e}function Vs(o){let{doc:t,step:e,end:s}=o,{color:n}=o.api,i=J(t.steps,s,0,e),r=J(t.steps,s,e,t.steps.length);return o.drawWay(r.
lines,{color:n("agent"),weight:2,opacity:.75,dashArray:"1 6"},"step","paths"),o.drawWay(i.lines,{color:n("agent"),weight:4,lineJoin:"round"},"step","paths"),o.drawWay(
i.leaps,{color:n("bad"),weight:2.5,dashArray:"2 7"},"step","paths"),i.leaps.length>0}function Us(o,t){let{color:e}=o.api,s=new Set(t.visible.filter(r=>typeof r==
"number"));if(!s.size)return!1;let n=[];for(let r of s)for(let l of o.near.get(r)??[])r<l&&s.has(l)&&n.push(o.line([r,l]));o.add(L.polyline(n,o.on("step",{color:e(
"seen"),weight:20,opacity:.34,smoothFactor:0,lineCap:"round"})),"step");let i=o.on("step",{radius:2,stroke:!1,fillColor:e("seen-ink"),fillOpacity:.9});for(let r of o.
line([...s]))o.add(L.circleMarker(r,i),"step");return!0}function qs(o,t,e){let s=o.candidates(t),n=s.find(l=>l.state==="chosen"),i=Le(s,[...e,...t.node===void 0?
[]:[t.node],...n?[n.node,...n.path??[]]:[]],o.near),r=new Set;for(let[l,h]of i){let c=o.spotAt(l.node);l.path&&l.path.length>1&&l.state!=="chosen"&&Ks(o,l),!(!c||
!o.here(l.node))&&(r.add(h),Xs(o,l,h,c))}return{chosen:r.has("chosen"),rejected:r.has("branch"),offered:r.has("offered")}}function Ks(o,t){let e=t.state==="reje\
cted",s={color:o.api.color(e?"rejected":"offered"),weight:2,opacity:.85,dashArray:e?"2 4":void 0};o.drawWay([t.path??[]],s,"step","step")}function Xs(o,t,e,s){let{
color:n}=o.api,i=[t.state,t.label,t.reason].filter(Boolean).join(" · ");if(e==="chosen")o.add(C(s,"nv-cand nv-cand-chosen",{title:i,pane:"nv-chosen"}),"step");else if(e===
"branch")o.add(C(s,"nv-cand nv-cand-rejected",{title:i}),"step");else if(e==="offered"){let r={radius:5,color:n("offered"),weight:2.2,fillColor:n("ground"),fillOpacity:1};
o.add(L.circleMarker(s,o.on("step",r)),"step")}else{let r={radius:2.6,stroke:!1,fillColor:n("rejected"),fillOpacity:.95};o.add(L.circleMarker(s,o.on("step",r)),
"step")}}function Js(o,t){if(t.length<2)return;let{color:e}=o.api;o.drawWay([t],{color:e("ground"),weight:9,opacity:.95},"step","move"),o.drawWay([t],{color:e("\
agent"),weight:5.5},"step","move");let s=o.spotAt(t.at(-1));!s||!o.here(t.at(-1))||o.add(L.circleMarker(s,o.on("move",{radius:6.5,color:e("agent"),weight:3,fillColor:e(
"ground"),fillOpacity:1})),"step")}function Ys(o,t){if(!o.placeHere(t.at))return;let e=o.spot(t.at),s=o.spotAt(t.node);s&&!t.approximate&&o.add(L.polyline([s,e],
o.on("step",{color:o.api.color("landmark"),weight:1.4,opacity:.9,dashArray:"1 4"})),"step");let n=[t.name,t.position??t.direction,t.distance_m===void 0?null:T(t.
distance_m),t.approximate?"shown at its node":null],i=t.letter?"nv-sign-letter":"nv-sign-object";o.add(C(e,i,{text:t.letter??"",title:n.filter(Boolean).join(" ·\
 "),ref:b(t.name)}),"step")}var Qs=[["ground",210],["paths",410],["step",420],["light",430],["move",580]],to=["ground","paths","ends","step","light"],eo={"nv-signs":560,"nv-chosen":610,"nv\
-labels":650},so=1.5,oo=.4,H=class{constructor(t,e,s,n){this.api=s,this.box=t,this.doc=e,this.step=0,this.gone=!1,this.moved=!1,this.lit=[],this.canvas=a("div",
{class:"nv-leaflet"}),this.plan=a("div",{class:"nv-plan-view"},this.canvas),t.append(this.plan),this.credit=a("div",{class:"nv-credit"}),this.legend=new pt,this.
layers=new ct(()=>this.onLayers()),this.map=L.map(this.canvas,{zoomControl:!1,attributionControl:!1,keyboard:!1,preferCanvas:!0,boxZoom:!1,wheelPxPerZoomLevel:110,
...n}),this.sheets=this.makeSheets(),this.groups=Object.fromEntries(to.map(i=>[i,L.layerGroup().addTo(this.map)])),this.agent=new ft,this.tools=a("div",{class:"\
nv-tools"},this.makeTools()),this.plan.append(this.credit,this.legend.box,this.tools,this.layers.list),L.control.scale({imperial:!1,position:"bottomright",maxWidth:90}).
addTo(this.map),this.near=Dt(e.links),this.labels=new lt(this),this.pointer=new ut(this),this.map.setView(this.spotAt(0)??[0,0],1,{animate:!1}),this.listen()}makeSheets(){
let t={};for(let[e,s]of Qs){let n=this.map.createPane(`nv-${e}`);n.style.zIndex=String(s),n.style.pointerEvents="none",t[e]=L.canvas({pane:`nv-${e}`,padding:oo});
let i=t[e],r=i._redraw;i._redraw=()=>{i._ctx&&r.call(i)}}for(let[e,s]of Object.entries(eo))this.map.createPane(e).style.zIndex=String(s);return t}listen(){this.
map.on("dragstart",()=>this.take());for(let t of["wheel","dblclick"])this.canvas.addEventListener(t,()=>this.take(),{passive:!0});this.map.on("zoomend",()=>this.
restyle()),this.map.on("moveend",()=>this.labels.soon()),this.map.on("zoomend",()=>this.labels.tags())}take(){this.moved=!0}spot(t){return[t[0],t[1]]}spotOf(t){
return[this.doc.nodes.at[2*t],this.doc.nodes.at[2*t+1]]}spotAt(t){return typeof t=="number"&&t>=0&&t<this.doc.nodes.ids.length?this.spotOf(t):null}line(t){return t.
map(e=>this.spotAt(e)).filter(e=>e!==null)}at(t){return this.spotAt(t)}here(t){return!0}placeHere(t){return!0}candidates(t){return t.observation?.candidates??[]}get goal(){
let{episode:t,reference:e}=this.doc;return t.goal??e.at(-1)}get start(){let{episode:t,reference:e}=this.doc;return typeof t.start=="number"?t.start:e[0]}get end(){
return this.doc.end?.node}get standing(){return this.step===0?this.doc.episode.start:this.doc.steps[this.step-1]?.node}get walked(){return this.doc.steps.flatMap(
(t,e)=>O(this.doc.steps,e,this.end))}shownPois(){return[...this.layers.shows("pois")?this.doc.pois:[],...this.seen()]}seen(){return(this.doc.steps[this.step-1]?.
observation?.pois??[]).flatMap(e=>e.at?[{...e,at:e.at}]:[])}wanted(){let{doc:t}=this,e=(t.compare?.steps??[]).flatMap(i=>[i.node,...i.path]),s=[...t.reference,...this.
walked,this.start,this.goal,...e],n=this.line(s);return n.length?n:this.line(t.nodes.ids.map((i,r)=>r))}furniture(){return{tools:this.boxOf(this.tools),legend:this.
legend.room(this.allEntries()),credit:this.boxOf(this.credit)}}boxOf(t){let e=this.plan.getBoundingClientRect(),s=t?.getBoundingClientRect();if(!(!s?.height||s.
left>=e.right))return[s.left-e.left,s.top-e.top,s.right-e.left,s.bottom-e.top]}drawAround(t){}fit(t=!0){this.moved=!1;let e=this.wanted(),s=this.map.getSize();if(!e.
length||!s.x||!s.y)return;let[n,i,r,l]=ye(s,this.furniture()),h=L.latLngBounds(e),c=this.map.getBoundsZoom(h,!1,L.point(n+r,i+l)),p=this.map.getMaxZoom();this.map.
options.minZoom=Math.min(c,this.closest())-so,this.map.fitBounds(h,{paddingTopLeft:[n,i],paddingBottomRight:[r,l],maxZoom:Math.min(this.closest(),p),animate:t})}closest(){
return 18.5}resize(){this.map.invalidateSize({animate:!1,pan:!1}),this.labels.forget(),this.moved?this.labels.tags():this.fit(!1)}draw(){for(let t of Object.values(
this.groups))t.clearLayers();this.drawGround(),this.drawPaths(),this.drawEnds(),this.drawCredit(),this.layers.offer(this.there()),this.restyle(),this.paint()}drawGround(){}restyle(){}drawCredit(){
this.credit.textContent=this.doc.graph.attribution??""}add(t,e){return this.groups[e].addLayer(t),t}on(t,e){return{renderer:this.sheets[t],interactive:!1,smoothFactor:.4,
...e}}drawWay(t,e,s,n){let i=[[],[]];for(let l of t){let h=-1;for(let c=0;c+1<l.length;c+=1){let[p,d]=[this.spotAt(l[c]),this.spotAt(l[c+1])];if(!p||!d){h=-1;continue}
let u=this.here(l[c])||this.here(l[c+1])?0:1;u===h?i[u][i[u].length-1].push(d):i[u].push([p,d]),h=u}}i[0].length&&this.add(L.polyline(i[0],this.on(n,e)),s);let r=.16*
(e.opacity??1);i[1].length&&this.add(L.polyline(i[1],this.on(n,{...e,opacity:r})),s)}drawPaths(){let{color:t}=this.api,{doc:e}=this;this.layers.shows("reference")&&
this.drawWay([e.reference],{color:t("reference"),weight:8,opacity:.95,dashArray:"9 7",lineCap:"butt"},"paths","paths");let s=this.spotAt(this.goal);if(s&&this.here(
this.goal)){let n={color:t("reference"),weight:1.6,opacity:.9,dashArray:"3 4",fillOpacity:.09};this.add(L.circle(s,{...this.on("paths",n),radius:e.episode.success_radius_m}),
"paths")}e.compare&&this.layers.shows("other")&&this.drawCompared(e.compare)}drawCompared(t){let{lines:e}=J(t.steps,t.end,0,t.steps.length);this.drawWay(e,{color:this.
api.color("other"),weight:4,dashArray:"12 5 2 5",lineCap:"butt"},"paths","paths");let s=e.at(-1)?.at(-1),n=this.spotAt(s);n&&this.here(s)&&this.add(C(n,"nv-sign\
-stop nv-sign-other",{title:`Stop of ${t.label}`,pane:"markerPane"}),"ends")}drawEnds(){let{episode:t}=this.doc;this.startSign=this.endSign(this.start,"nv-sign-\
start","Start",-200),this.endSign(this.goal,"nv-sign-goal","Goal",-100),t.tasks.forEach((e,s)=>{for(let n of e.goals){let i=this.spotAt(n);i&&this.here(n)&&this.
add(C(i,"nv-sign-goal",{text:String(s+1),title:e.description,pane:"markerPane"}),"ends")}}),this.stopNode=this.doc.end?this.walked.at(-1):void 0,this.stopSign=this.
endSign(this.stopNode,"nv-sign-stop","Stop",0)}endSign(t,e,s,n){let i=this.spotAt(t);return i&&this.here(t)?this.add(C(i,e,{ref:s,pane:"markerPane",raise:n}),"e\
nds"):null}there(){let{doc:t}=this,e=t.steps.map(n=>n.observation).filter(n=>n!==void 0);return[["reference",t.reference.length>0],["other",!!t.compare],["candi\
dates",e.some(n=>n.candidates.length>0)],["seen",e.some(n=>n.visible.length>0)],["memory",ve(t)],["pois",t.pois.length>0]].filter(([,n])=>n).map(([n])=>n)}allEntries(){
let t=this.there(),e=n=>t.includes(n)&&this.layers.shows(n),s=new Set(this.doc.steps.flatMap(n=>(n.observation?.candidates??[]).map(i=>i.state)));return this.entries(
{other:e("other"),seen:e("seen"),leaps:this.doc.steps.some(n=>n.jumps?.length),chosen:e("candidates")&&s.has("chosen"),rejected:e("candidates")&&s.has("rejected"),
offered:e("candidates")&&s.has("offered"),memory:e("memory")?ke(this.doc):void 0})}entries({other:t,seen:e,leaps:s,chosen:n,rejected:i,offered:r,memory:l}){let{
doc:h}=this;return[h.reference.length>0&&this.layers.shows("reference")&&["reference","reference path"],h.steps.length>0&&["agent","agent"],t&&h.compare&&["othe\
r",h.compare.label],e&&["seen","visible area"],n&&["chosen","chosen"],i&&["rejected","not taken"],r&&["offered",this.offeredWord()],...l?Se(l):[],s&&["jump","ju\
mp"]]}offeredWord(){return"offered"}onLayers(){this.draw(),this.moved||this.fit(!1)}showStep(t){this.step=t,this.paint()}paint(){let{doc:t,step:e}=this;this.groups.
step.clearLayers(),this.groups.light.clearLayers();let s=Te(this,t.steps[e-1]);this.legend.show(this.entries({...s,other:!!t.compare&&this.layers.shows("other")})),
this.placeAgent();let n=e<t.steps.length;this.stopSign?.getElement()?.classList.toggle("nv-later",n),this.stopSign?.setZIndexOffset(n?-100:950),this.startSign?.
getElement()?.classList.toggle("nv-under",this.standing===this.start),this.follow(t.steps[e-1]),this.lit.length&&this.pointer.view.highlight(this.lit),this.labels.
tags(),this.labels.soon()}placeAgent(){let t=this.standing;this.agent.place(this.map,this.spotAt(t),this.heading(),!this.here(t))}heading(){let{doc:t,step:e}=this;
return e===0?t.episode.start_heading_deg:t.steps[e-1]?.heading_deg}follow(t){let e=this.line(t?O(this.doc.steps,this.step-1,this.end):[this.doc.episode.start]);
if(!e.length||!this.map.getSize().x)return;let s=L.latLngBounds(e);if(this.map.getBounds().pad(-.02).contains(s))return;this.map.getBoundsZoom(s.pad(.2))>=this.
map.getZoom()?this.map.panTo(s.getCenter(),{duration:.25}):this.map.fitBounds(s.pad(.2),{maxZoom:this.map.getZoom()})}tags(){return[...this.endTags(),...this.seenTags()]}names(){
return[]}nameRoom(){return this.box.closest(".nv-present")?26:40}endTags(){let t=[[this.start,"Start","nv-tag-end"],[this.goal,"Goal","nv-tag-goal"]];return this.
step===this.doc.steps.length&&t.push([this.stopNode,"Stop","nv-tag-stop"]),t.flatMap(([e,s,n])=>{let i=this.spotAt(e),r=e===this.standing?20:13;return i&&this.here(
e)?[{spot:i,text:s,look:n,gap:r,weight:650,size:.93,must:!0}]:[]})}seenTags(){if(!this.layers.shows("pois"))return[];let t=this.spotAt(this.standing);return this.
seen().filter(e=>this.placeHere(e.at)).map(e=>{let s=this.spot(e.at);return{spot:s,text:e.name,look:"nv-tag-seen",gap:13,weight:600,size:.9,left:t!==null&&s[1]<
t[1]}})}highlight(t){this.lit=t,this.groups.light.clearLayers();for(let e of this.box.querySelectorAll(".nv-sign.nv-lit"))e.classList.remove("nv-lit");for(let e of t){
for(let s of this.api.resolve(e,this.step).at)this.ring(this.spot(s),this.refHere(e,s));for(let s of this.box.querySelectorAll(`.nv-sign[data-ref="${CSS.escape(
e)}"]`))s.classList.add("nv-lit")}}refHere(t,e){return!0}ring(t,e){let{color:s}=this.api,n={radius:15,color:s("lit"),weight:4,fillColor:s("lit"),fillOpacity:e?.25:
.1,dashArray:e?void 0:"4 4"};this.add(L.circleMarker(t,this.on("light",n)),"light"),e&&this.add(L.circleMarker(t,this.on("light",{radius:5,color:s("ground"),weight:1.5,
fillColor:s("lit"),fillOpacity:1})),"light")}panTo(t){let{at:e}=this.api.resolve(t,this.step);if(!e.length)return;this.take();let s=L.latLngBounds(e.map(i=>this.
spot(i))),n=Math.max(this.map.getZoom(),this.nearZoom());e.length>1?this.map.fitBounds(s.pad(.4),{maxZoom:n}):this.map.setView(s.getCenter(),n,{animate:!0}),this.
highlight([t])}nearZoom(){return 17.5}nodeFacts(t){return[]}makeTools(){let t=e=>()=>{this.take(),e>0?this.map.zoomIn():this.map.zoomOut()};return[w("closer","C\
loser",t(1),{tool:"in"}),w("farther","Farther",t(-1),{tool:"out"}),w("whole","The whole route",()=>this.fit(),{tool:"fit"}),this.layers.button]}update(t){let e=this.
doc,s=t.episode.id!==e.episode.id||t.world!==e.world;this.doc=t,this.near=Dt(t.links),this.adopt(),this.step=Math.min(this.step,t.steps.length),!s&&t.nodes.ids.
length===e.nodes.ids.length&&t.streets.length===e.streets.length?this.drawWays():this.draw(),(s||!this.moved)&&this.fit(!1)}adopt(){}drawWays(){this.groups.paths.
clearLayers(),this.groups.ends.clearLayers(),this.drawPaths(),this.drawEnds(),this.layers.offer(this.there())}setTheme(){this.draw()}destroy(){this.gone=!0,this.
labels.destroy(),this.pointer.destroy(),this.map.remove()}};var no=560,mt=2.5,io=14,ro=22,ao=.6,Ae={floors:[{name:"Floor 1",level_m:0}],floor_of:[],stairs:[],rooms:[],doors:[]},gt=class extends H{constructor(t,e,s){super(
t,e,s,{crs:L.CRS.Simple,zoomSnap:0,zoomDelta:.5,minZoom:-5,maxZoom:8.6}),this.plan.classList.add("nv-floorplan"),this.solid=a("div",{class:"nv-scene"}),t.classList.
add("nv-indoor"),this.floorBox=a("div",{class:"nv-floors",role:"group","aria-label":"Floors"}),this.plan.append(this.floorBox),t.append(this.solid,this.tools,this.
layers.list),this.scene=null,this.floorButtons=[],this.house=Ae,this.stairs=new Set,this.ways=[],this.floor=0,this.adopt(),this.floor=this.floorOf(e.episode.start)??
0,this.markFloor(),this.mode="plan",this.setMode(j.possible(this.api)&&t.clientWidth>no?"both":"plan"),this.draw(),this.fit(!1)}adopt(){this.house=this.doc.indoor??
Ae,this.stairs=new Set(this.house.stairs),this.makeFloors()}spot(t){return[t[1],t[0]]}spotOf(t){let{at:e}=this.doc.nodes;return[e[3*t+1],e[3*t]]}metresOf(t){return this.
doc.nodes.at.slice(3*t,3*t+3)}floorOf(t){return typeof t=="number"?this.house.floor_of[t]??0:null}floorAt(t){let e=this.house.floors.map(({level_m:s})=>{let n=t[2]-
s;return n>-ao?n:100-n});return e.indexOf(Math.min(...e))}here(t){return this.floorOf(t)===this.floor}placeHere(t){return this.floorAt(t)===this.floor}refHere(t,e){
return t.startsWith("n:")?this.here(Number(t.slice(2))):this.placeHere(e)}get scale(){return 2**this.map.getZoom()}makeFloors(){let{floors:t}=this.house;this.floorBox.
hidden=t.length<2,this.floorButtons=t.map(({name:e,level_m:s},n)=>{let i={mousedown:k,click:()=>this.setFloor(n)};return a("button",{type:"button",class:"nv-flo\
or",data:{floor:n},text:e,title:`${e}, ${T(s)}`,on:i})}),this.floorBox.replaceChildren(...[...this.floorButtons].reverse()),this.markFloor()}setFloor(t){t!==null&&
(this.floor=Math.max(0,Math.min(this.house.floors.length-1,t)),this.markFloor(),this.draw())}markFloor(){this.plan.dataset.floor=String(this.floor);for(let[t,e]of this.
floorButtons.entries())e.setAttribute("aria-pressed",String(t===this.floor))}setMode(t){this.mode=t,this.box.dataset.mode=t;for(let[e,s]of Object.entries(this.modeButtons??
{}))s.classList.toggle("nv-on",e===t);t==="plan"||this.scene||(this.scene=new j(this.solid,this.doc,this.api,e=>this.pointAt(e)),this.scene.start(this.step))}makeTools(){
let t=(e,s)=>w(e,s,()=>{this.setMode(e),this.resize()},{tool:e});return this.modeButtons={plan:t("plan","Floor plan"),both:t("both","Plan and 3-D scene"),scene:t(
"scene","3-D scene")},[...super.makeTools(),...j.possible(this.api)?Object.values(this.modeButtons):[]]}wanted(){let t=super.wanted(),e=this.house.rooms.flatMap(
({box_m:[p,d,u,m]})=>[[d,p],[m,u]]),s=L.latLngBounds([...this.line(this.doc.nodes.ids.map((p,d)=>d)),...e]),n=L.latLngBounds(t),i=(p,d,u)=>Math.max(d,Math.min(u,
p)),[r,l,h,c]=[s.getSouth(),s.getWest(),s.getNorth(),s.getEast()];return[[i(n.getSouth()-mt,r,h),i(n.getWest()-mt,l,c)],[i(n.getNorth()+mt,r,h),i(n.getEast()+mt,
l,c)]]}furniture(){return{...super.furniture(),floors:this.boxOf(this.floorBox)}}closest(){return Math.log2(110)}nearZoom(){return Math.log2(45)}resize(){super.
resize(),this.scene?.resize()}drawGround(){this.scaled=se(this)}restyle(){for(let{layer:t,width_m:e,least:s}of this.scaled??[])t.setStyle({weight:Math.max(s,e*this.
scale)})}drawAround(t){let e=this.heading();typeof t.node=="number"&&this.here(t.node)&&e!==void 0&&ne(t)&&ie(this,t.node,e)}showStep(t){this.step=t,this.plan.dataset.
node=String(this.standing??""),this.scene?.showStep(t);let e=this.floorOf(this.standing);e!==null&&e!==this.floor?this.setFloor(e):this.paint()}seen(){let t=this.
doc.steps[this.step-1];return t?re(this,t,this.heading()):[]}candidates(t){let e=super.candidates(t);if(e.length||typeof t.node!="number")return e;let s=this.metresOf(
t.node),n=this.heading();return[...this.near.get(t.node)??[]].map(i=>{let r=this.metresOf(i),l=n===void 0?{}:{angle_deg:Qt(Yt(s,r)-n)},h=i===t.decision?.target?
"chosen":"offered";return{node:i,state:h,distance_m:Math.hypot(...r.map((c,p)=>c-s[p])),...l}})}offeredWord(){return"navigable"}tags(){let t=this.standing,e=this.
spotAt(t),s=this.floorOf(t),i=e&&s!==null&&s!==this.floor?[{spot:e,text:`agent: ${this.house.floors[s].name}`,look:"nv-tag-stop",gap:14,weight:650,must:!0}]:[];
return[...this.roomTags(),...this.endTags(),...i,...this.candidateTags(),...this.seenTags(),...this.stairTags()]}roomTags(){return this.house.rooms.filter(t=>t.
floor===this.floor&&t.name).map(({name:t,box_m:[e,s,n,i]})=>({spot:[i-.18,(e+n)/2],text:t,look:"nv-tag-room",weight:650,centred:!0,within:[[i,e],[s,n]]}))}candidateTags(){
let t=this.doc.steps[this.step-1];return!t||this.scale<io||!this.layers.shows("candidates")?[]:this.candidates(t).flatMap(e=>{let s=this.spotAt(e.node),n=this.angleWords(
e);return s&&n&&this.here(e.node)?[{spot:s,text:n,look:`nv-tag-${e.state}`,gap:10,weight:600}]:[]})}seenTags(){return super.seenTags().map(t=>({...t,text:t.text.
replace(/_\d+$/,"")}))}stairTags(){return this.ways.map(({spot:t,up:e,floor:s})=>({spot:t,text:`${e?"↑":"↓"} ${this.house.floors[s].name}`,look:"nv-tag-name",
weight:600,gap:6}))}*names(){if(!(this.scale<ro||!this.layers.shows("pois")))for(let t of this.doc.pois)this.placeHere(t.at)&&(yield{spot:this.spot(t.at),text:t.
name,look:"nv-tag-name",gap:5,size:.78,within:this.roomAround(t.at)})}roomAround([t,e]){let s=this.house.rooms.find(({floor:h,box_m:[c,p,d,u]})=>h===this.floor&&
t>=c&&t<=d&&e>=p&&e<=u);if(!s)return;let[n,i,r,l]=s.box_m;return[[l,n],[i,r]]}angleWords(t){let{angle_deg:e,distance_m:s}=t;return[e===void 0?null:Math.abs(e)<.5?
"ahead":`${e<0?"left":"right"} ${Math.abs(e).toFixed(0)}°`,s===void 0?null:T(s),typeof t.node=="number"&&!this.here(t.node)?"other floor":null].filter(Boolean).
join(", ")}highlight(t){super.highlight(t),this.plan.dataset.lit=t.join(" "),this.scene?.highlight(t.flatMap(e=>this.api.resolve(e,this.step).at))}panTo(t){let[
e]=this.api.resolve(t,this.step).at;if(!e)return;let s=t.startsWith("n:")?this.floorOf(Number(t.slice(2))):this.floorAt(e);s!==this.floor&&this.setFloor(s),super.
panTo(t)}pointAt(t){this.api.hover(t?[t]:[]),this.highlight(t?[t]:[])}nodeFacts(t){let e=this.doc.steps[this.step-1],s=e?this.candidates(e).find(i=>i.node===t):
void 0,n=this.house.floors[this.floorOf(t)??0];return[this.stairs.has(t)?"on the stairs":n?.name??"",s?this.angleWords(s):""]}update(t){super.update(t),this.scene?.
update(t)}setTheme(){super.setTheme(),this.scene?.redraw()}destroy(){this.scene?.destroy(),super.destroy()}};var lo="© OpenStreetMap contributors",ho="https://tile.openstreetmap.org/{z}/{x}/{y}.png",co=15.5,po=16.5,uo=16.25,fo=18,yt=class extends H{constructor(t,e,s){
super(t,e,s,{zoomSnap:.25,zoomDelta:.5,maxZoom:20.5,minZoom:1}),this.close=!1,this.tiles=null,this.draw(),this.fit(!1)}drawGround(){let{color:t}=this.api,e=i=>this.
on("ground",{smoothFactor:.6,...i});for(let i of this.doc.backdrop){let r=i.rings.map(Oe),l=t(`area-${i.kind}`)||t("area");i.line?this.add(L.polyline(r,e({color:l,
weight:2})),"ground"):this.add(L.polygon(r,e({color:l,weight:.6,fillColor:l,fillOpacity:1})),"ground")}let s=this.doc.streets.map(Oe);this.casing=this.add(L.polyline(
s,e({color:t("street-edge"),lineCap:"round"})),"ground"),this.streets=this.add(L.polyline(s,e({color:t("street"),lineCap:"round"})),"ground");let n=e({radius:1.8,
stroke:!1,fillColor:t("node"),fillOpacity:1});this.crossings=this.line(this.doc.nodes.crossings).map(i=>this.add(L.circleMarker(i,n),"ground")),this.dots=this.doc.
pois.map(i=>{let r={radius:3,weight:1,color:t("ground"),fillColor:t(i.light?"light":"poi"),fillOpacity:1};return this.add(L.circleMarker(this.spot(i.at),e(r)),"\
ground")})}restyle(){let t=this.map.getZoom(),e=Math.max(1.6,Math.min(16,1.5*1.75**(t-14.4)));this.casing?.setStyle({weight:e+1.6}),this.streets?.setStyle({weight:e});
for(let n of this.crossings??[])n.setStyle({fillOpacity:t>=po?1:0});let s=t>=co&&this.layers.shows("pois")?1:0;this.dots?.forEach((n,i)=>{let r=(this.doc.pois[i].
light?2:3)+Math.max(0,t-17);n.setStyle({fillOpacity:s,opacity:s}).setRadius(r)})}*names(){let t=this.map.getZoom();if(t<uo||!this.layers.shows("pois"))return;let e=new Set(
this.seen().map(s=>b(s.name)));for(let s of this.doc.pois)s.light||!s.kind&&t<fo||e.has(b(s.name))||(yield{spot:this.spot(s.at),text:s.name,look:"nv-tag-name",gap:6,
size:.8})}heading(){return super.heading()??this.bearing()}bearing(){if(this.step===0)return;let[t,e]=this.line(O(this.doc.steps,this.step-1,this.end));if(!(!t||
!e||t[0]===e[0]&&t[1]===e[1]))return Math.atan2((e[1]-t[1])*Math.cos(t[0]*Math.PI/180),e[0]-t[0])*180/Math.PI}follow(t){if(!this.close||!t){super.follow(t);return}
let e=this.line([...O(this.doc.steps,this.step-1,this.end),...t.observation?.visible??[]]);e.length&&this.map.fitBounds(L.latLngBounds(e).pad(.15),{padding:[40,
40],maxZoom:18.5,duration:.3})}nodeFacts(t){let e=new Set(this.seen().filter(s=>s.node===t).map(s=>s.name));return[this.doc.nodes.crossings.includes(t)?"interse\
ction":"street node",e.size?`landmarks here: ${[...e].join(", ")}`:""]}makeTools(){return this.closeButton=w("close","Stay close to the agent",()=>this.toggleClose(),
{tool:"close"}),this.tileButton=w("tiles","Map tiles from openstreetmap.org (needs the network)",()=>this.toggleTiles(),{tool:"tiles"}),[...super.makeTools(),this.
closeButton,this.tileButton]}toggleClose(){if(this.close=!this.close,this.closeButton?.classList.toggle("nv-on",this.close),!this.close){this.fit();return}this.
take(),this.follow(this.doc.steps[this.step-1])}toggleTiles(){this.tiles?(this.tiles.remove(),this.tiles=null):this.tiles=L.tileLayer(ho,{maxNativeZoom:19,maxZoom:21,
opacity:.85}).addTo(this.map),this.tileButton?.classList.toggle("nv-on",this.tiles!==null),this.box.classList.toggle("nv-with-tiles",this.tiles!==null),this.drawCredit()}drawCredit(){
let t=[this.doc.graph.attribution,this.tiles?lo:null].filter(Boolean);this.credit.textContent=[...new Set(t)].join(" · ")}};function Oe(o){let t=[];for(let e=0;e<
o.length;e+=2)t.push([o[e],o[e+1]]);return t}var D=3e4,mo=14;function S(o,t){let e=t.startsWith("n:")&&o.length>mo,s={class:e?"nv-ref nv-id nv-cut":"nv-ref",text:o,data:{ref:t},tabindex:-1};return a("span",
e?{...s,title:o}:s)}function Ft(o,t,e){let s=a("button",{type:"button",class:"nv-more",text:`Show ${x(t)} more characters`,on:{click:()=>s.replaceWith(e())}});return o.
append(" … ",s),o}function f(o,t){let e=document.createDocumentFragment();for(let s of o.pieces(t.slice(0,D)))e.append(s.ref?S(s.text,s.ref):s.text);return t.
length>D&&Ft(e,t.length-D,()=>f(o,t.slice(D))),e}function _e(o,t){if(!t)return;let e=t.offsetTop-o.offsetTop,s=e+t.offsetHeight;e<o.scrollTop?o.scrollTop=e:s>o.
scrollTop+o.clientHeight&&(o.scrollTop=s-o.clientHeight)}var Ee={entries:8,chars:120};function $e(o){try{return{value:JSON.parse(o)}}catch{return null}}function B(o,t,e,s="$",n=0){if(o===null||typeof o!="object")return Pe(
o,t);let i=Array.isArray(o),r=i?o.map((u,m)=>[String(m),u]):Object.entries(o);if(!r.length)return a("span",{class:"nv-j-mute",text:i?"[]":"{}"});if(go(o,r))return yo(
i,r,t);let l=e.get(s)??n<2,h=r.slice(0,4).map(([u])=>u),c=a("div",{class:"nv-j-body"}),p=()=>{if(!c.childElementCount)for(let[u,m]of r){let y=`${s}.${i?"*":u}`;
c.append(a("div",{class:"nv-j-row"},Ce(u,t),B(m,t,e,y,n+1)))}};l&&p();let d=a("summary",{class:"nv-j-mute",text:i?`${r.length} items`:h.join(", ")});return tt({
class:"nv-j"},d,c,l,u=>{e.set(s,u),u&&p()})}function Ce(o,t){let e=t.letter(o)??t.tokens.get(o);return a("span",{class:"nv-j-key"},e?S(o,e):o)}var go=(o,t)=>t.length<=
Ee.entries&&t.every(([,e])=>e===null||typeof e!="object")&&JSON.stringify(o).length<=Ee.chars;function yo(o,t,e){let s=a("span",{class:"nv-j-short"});return t.forEach(
([n,i],r)=>{r&&s.append("  "),o||s.append(Ce(n,e)," "),s.append(Pe(i,e))}),s}function Pe(o,t){if(o==="")return a("span",{class:"nv-j-mute",text:'""'});if(typeof o!=
"string")return a("span",{class:"nv-j-num",text:String(o)});let e=t.letter(o)??t.tokens.get(o);return a("span",{class:"nv-j-str"},e?S(o,e):f(t,o))}function Ne(o,{linker:t}){let e=o.items??[],s=e.map(l=>Re(l.value)).filter(l=>l!==null),n=Math.max(...s,0),i=Math.min(...s,0),r=n-i||1;return a("div",{class:"nv\
-bars"},e.map(l=>{let h=Re(l.value),c=h===null?null:{left:`${(Math.min(h,0)-i)/r*100}%`,width:`${Math.abs(h)/r*100}%`};return a("div",{class:l.chosen?"nv-bar-ro\
w nv-chosen":"nv-bar-row"},a("span",{class:"nv-bar-label"},f(t,String(l.label??""))),a("span",{class:"nv-bar-track"},c?a("span",{class:"nv-bar",style:c}):null),
a("span",{class:"nv-bar-value",text:h===null?"–":nt(h)}),l.note?a("span",{class:"nv-bar-note"},f(t,String(l.note))):null)}))}function Re(o){let t=o==null?Number.
NaN:Number(o);return Number.isFinite(t)?t:null}function xt(o,t){return o==null?"–":typeof o=="object"?B(o,t,new Map):f(t,String(o))}function It(o,t,e){if(!Array.isArray(t)||!t.length)return null;let s=t.map(
n=>typeof n=="object"&&n?Object.values(n).join(" · "):String(n));return a("div",{class:"nv-chips",title:o},s.map(n=>a("span",{class:"nv-chip"},f(e,n))))}function ze(o,{linker:t}){let e=o.directions??[];return a("div",{class:"nv-directions"},e.map(s=>a("section",{},a("h5",{text:String(s.label??"")}),s.text?a("p",
{},f(t,String(s.text))):null,It("objects",s.objects,t),It("candidates",s.candidates,t))))}var _={width:320,height:220,margin:20,labels:60};function Be(o,t){let e=new Map(t.nodes.ids.map((d,u)=>[d,u])),s=o.map((d,u)=>xo(d)??wo(e.get(d.id),t)??bo(u,o.length)),
n=s.map(d=>d[0]),i=s.map(d=>d[1]),[r,l]=[Math.min(...n),Math.min(...i)],h=_.width-_.margin-_.labels,c=_.height-2*_.margin,p=Math.min(h/(Math.max(...n)-r||1),c/(Math.
max(...i)-l||1));return new Map(o.map((d,u)=>[d.id,[_.margin+(s[u][0]-r)*p,_.margin+(s[u][1]-l)*p]]))}function xo({x:o,y:t}){return typeof o=="number"&&typeof t==
"number"&&Number.isFinite(o)&&Number.isFinite(t)?[o,-t]:null}function wo(o,t){if(o===void 0)return null;let e=t.frame==="geo"?2:3,[s,n]=t.nodes.at.slice(o*e,o*e+
2);return t.frame==="geo"?[n*Math.cos(s*Math.PI/180),-s]:[s,-n]}function bo(o,t){let e=2*Math.PI*o/t;return[Math.sin(e),-Math.cos(e)]}function je(o,{linker:t,doc:e}){let s=(o.nodes??[]).map(ko),n=Be(s,e),i=g("svg",{viewBox:`0 0 ${_.width} ${_.height}`,class:"nv-graph",role:"img"});for(let h of o.
links??[]){let[c,p]=Array.isArray(h)?h:[h.source??h.from,h.target??h.to],d=n.get(String(c)),u=n.get(String(p));d&&u&&i.append(g("line",{x1:d[0],y1:d[1],x2:u[0],
y2:u[1]}))}for(let h of s)i.append(So(h,n.get(h.id)??[0,0],t));let r=vo(Array.isArray(o.states)?o.states:[],s),l=o.note?a("p",{class:"nv-panel-note",text:String(
o.note)}):null;return r||l?a("div",{},l,i,r):i}function vo(o,t){let e=o.filter(s=>t.some(n=>n.state===s));return e.length?a("div",{class:"nv-panel-key"},e.map(s=>a(
"span",{},a("i",{class:`nv-key nv-key-${dt(s).slice(3)}`}),String(s)))):null}var ko=o=>typeof o=="object"&&o?{...o,id:String(o.id)}:{id:String(o)};function So(o,[
t,e],s){let n=s.tokens.get(o.id),i=g("circle",{cx:t,cy:e,r:o.current?7:5,class:o.chosen||o.current?"nv-chosen":""}),r=g("text",{x:t+8,y:e+4}),l=typeof o.score==
"number"?` ${Math.round(o.score*100)/100}`:"";r.textContent=String(o.label??it(o.id))+l;let h=g("g",{class:[n?"nv-ref":"",dt(o.state)].filter(Boolean).join(" ")},
i,r);if(o.note){let c=g("title",{});c.textContent=`${r.textContent}: ${o.note}`,h.append(c)}return n&&(h.dataset.ref=n),h}function He(o,{linker:t}){let e=Array.isArray(o.items)?o.items:Object.entries(o.items??{});return a("dl",{class:"nv-keyvalue"},e.flatMap(([s,n])=>[a("dt",{},f(t,
String(s))),a("dd",{},xt(n,t))]))}function De(o,{linker:t}){let e=o.columns??[],s=a("tr",{},e.map(l=>a("th",{},f(t,String(l))))),n=(o.rows??[]).map((l,h)=>{let c=Array.isArray(l)?l:e.map(p=>l[p]);
return a("tr",{class:h===o.chosen?"nv-chosen":void 0},c.map(p=>Mo(p,t)))}),i=o.note?a("p",{class:"nv-panel-note"},f(t,String(o.note))):null,r=a("table",{class:"\
nv-table"},a("thead",{},s),a("tbody",{},n));return a("div",{},i,a("div",{class:"nv-scroll-x"},r))}function Mo(o,t){return typeof o=="number"?a("td",{class:"nv-n\
um",text:nt(o)}):a("td",{},xt(o,t))}var Lo=/^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/,To=/^#{1,6}\s+(.*)$/,Ao=/^\*\*([^*]+)\*\*:?$/,Oo=/\*\*(.+?)\*\*|`([^`]+)`|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;function Fe(o){
let t=[],e=null,s=[],n=null,i=()=>{s.length&&t.push({kind:"paragraph",text:s.join(" ")}),s=[]};for(let r of o.split(`
`)){let l=r.trim();if(n){l.startsWith("```")?(t.push({kind:"code",text:n.join(`
`)}),n=null):n.push(r);continue}let h=Lo.exec(r),c=To.exec(l)??Ao.exec(l);if(!h&&l&&(e=null),l.startsWith("```"))i(),n=[];else if(c)i(),t.push({kind:"heading",text:c[1].
replaceAll("**","")});else if(h){i();let p=!!h[1];(!e||e.ordered!==p)&&(e={kind:"list",ordered:p,start:Number(h[1]??1),items:[]},t.push(e)),e.items.push(h[2])}else
l?s.push(l):i()}return i(),n&&t.push({kind:"code",text:n.join(`
`)}),t}function Ie(o){let t=[],e=0;for(let s of o.matchAll(Oo))s.index>e&&t.push({kind:"text",text:o.slice(e,s.index)}),s[1]?t.push({kind:"strong",text:s[1]}):s[2]?
t.push({kind:"code",text:s[2]}):t.push({kind:"emphasis",text:s[3]}),e=s.index+s[0].length;return e<o.length&&t.push({kind:"text",text:o.slice(e)}),t}function F(o,t){let e=4*D,s=a("div",{class:"nv-prose"});for(let n of Fe(o.slice(0,e)))s.append(_o(n,t));return o.length>e&&Ft(s,o.length-e,()=>F(o.slice(e),t)),
s}function _o(o,t){if(o.kind==="list"){let e=o.items.map(s=>a("li",{},Ge(s,t)));return o.ordered?a("ol",{start:o.start},e):a("ul",{},e)}return o.kind==="code"?a(
"pre",{},f(t,o.text)):a(o.kind==="heading"?"h4":"p",{},Ge(o.text,t))}function Ge(o,t){let e=document.createDocumentFragment();for(let s of Ie(o)){let n=s.kind===
"code"?t.letter(s.text):void 0,i=n?S(s.text,n):f(t,s.text);s.kind==="text"?e.append(i):e.append(a(s.kind==="strong"?"strong":s.kind==="code"?"code":"em",{},i))}
return e}var We=(o,{linker:t})=>F(String(o.text??""),t);var Ze={bars:Ne,directions:ze,graph:je,keyvalue:He,table:De,text:We};function Ve(o,t){let e=()=>B(o.data,t.linker,t.folds,`panel.${o.title}`),s=Object.hasOwn(Ze,
o.kind)?Ze[o.kind]:e,n;try{n=s(o.data,t)}catch{n=e()}return a("section",{class:"nv-panel",data:{kind:o.kind}},n)}async function Ue(o,t){try{await navigator.clipboard.writeText(o)}catch{let e=document.createElement("textarea");e.value=o,e.className="nv-off-screen",t.append(
e),e.select(),document.execCommand("copy"),e.remove()}t.dataset.done="true",setTimeout(()=>delete t.dataset.done,1200)}var R=o=>a("p",{class:"nv-nothing",text:o}),wt=class{constructor(t,e){this.player=t,this.folds=e,this.raw=!1}get linker(){return this.player.linker}thoughts(t,e){
let s=this.each(t,"thoughts",n=>n.thoughts===void 0?R("This call has no thoughts."):F(this.player.text(n.thoughts),this.linker));return e.thoughts?s.append(a("d\
iv",{class:"nv-streaming"},F(e.thoughts,this.linker))):t.length||s.append(R(this.waiting()?"Waiting for the model.":this.unasked())),s}prompts(t){return t.length?
this.each(t,"prompt",e=>{let s=e.messages.length>1;return!s&&!e.messages.length?R("The log does not hold this prompt."):a("div",{},e.messages.map(n=>this.message(
n,s)))}):R(this.unasked())}replies(t,e){let s=this.each(t,"reply",n=>n.reply===void 0?R(n.error??"There is no reply."):this.code(this.player.text(n.reply)));return e.
reply?s.append(a("div",{class:"nv-streaming"},this.code(e.reply))):t.length||s.append(R(this.unasked())),s}waiting(){return this.player.doc.running&&this.player.
atEnd}unasked(){return"No model was asked in this step."}each(t,e,s){let n=t.length>1||t[0]?.purpose!=="decide";return a("div",{},t.map(i=>{let r=this.rawText(i,
e),l=this.raw&&r?a("pre",{class:"nv-raw"},f(this.linker,r)):s(i);return a("section",{class:"nv-call"},this.callHead(i,n,r),l)}))}rawText(t,e){if(e==="thoughts")
return t.thoughts===void 0?"":this.player.text(t.thoughts);if(e==="reply")return t.reply===void 0?"":this.player.text(t.reply);let s=t.messages.map(({parts:n})=>n.
map(([,i])=>this.player.text(i)).join(""));return s.length<2?s[0]??"":s.map((n,i)=>`${t.messages[i].role}:
${n}`).join(`

`)}callHead(t,e,s){let{usage:n}=t,i=`${x(n?.prompt_tokens)} prompt · ${x(n?.thoughts_tokens)} thoughts · ${x(n?.output_tokens)} reply`;return a("div",{class:"\
nv-call-head"},e?a("b",{text:t.purpose}):null,t.model?a("span",{text:t.model}):null,a("span",{title:"tokens of prompt, thoughts and reply",text:i}),a("span",{text:t.
seconds===void 0?`time ${"–"}`:ot(t.seconds)}),a("span",{text:t.cost_usd===void 0?`cost ${"–"}`:st(t.cost_usd)}),t.retries?a("span",{class:"nv-flag nv-warn",
text:z(t.retries,"retry","retries")}):null,t.error?a("span",{class:"nv-flag nv-bad",text:t.error}):null,t.parse_error?a("span",{class:"nv-flag nv-bad",text:t.parse_error}):
null,s?this.rawTools(s):null)}rawTools(t){let e={mousedown:k,click:()=>this.toggleRaw()},s=this.raw?"Show it set in type":"Show it as it was sent or came back",
n=a("button",{type:"button",class:"nv-small",text:this.raw?"set":"raw",title:s,"aria-pressed":String(this.raw),on:e,data:{call:"raw"}}),i=w("copy","Copy the tex\
t",()=>Ue(t,i),{call:"copy"});return a("span",{class:"nv-raw-tools"},n,i)}toggleRaw(){this.raw=!this.raw,this.player.repaintPane()}message(t,e){let s=a("div",{class:"\
nv-message"},e?a("div",{class:"nv-role",text:t.role}):null),n=s;for(let[i,r]of t.parts){let l=this.player.text(r);i==="heading"?(n=a("div",{class:"nv-part-body"}),
s.append(this.heading(l.trim(),n))):i!=="fence"&&n.append(this.part(i,l))}return s}heading(t,e){let s=`part.${t}`,n=t.replace(/^\[(.*)\]$/s,"$1").replace(/^#+\s*/,
""),i=a("summary",{text:n});return tt({class:"nv-part"},i,e,this.folds.get(s)??!0,r=>this.folds.set(s,r))}part(t,e){let s=t==="json"?$e(e):null;if(s)return a("d\
iv",{class:"nv-json"},B(s.value,this.linker,this.folds,"prompt"));let n=e.replace(/\n+$/,`
`).replace(/^\n+/,"");return a("pre",{class:t==="text"?"nv-plain":"nv-code"},f(this.linker,n))}code(t){return a("pre",{class:"nv-code"},f(this.linker,t))}};function qe(o,t,e){let s=o.observation;if(!s)return R("The log does not say what the agent was shown.");let n=[s.format,`${s.visible.length} nodes`,`${s.pois.length}\
 landmarks`],i=o.calls.length?"As it stood in the prompt":"In words";return a("div",{},a("div",{class:"nv-call-head"},n.map(r=>a("span",{text:r}))),s.pois.length?
Eo(s.pois):null,s.candidates.length?$o(s.candidates,t):null,s.text?a("h4",{text:i}):null,(s.text??[]).filter(([r])=>r!=="fence").map(([r,l])=>e.part(r,t.text(l))))}
function Eo(o){let t=o.map(e=>{let s=b(e.name);return a("tr",{},a("td",{},e.letter?S(e.letter,s):""),a("td",{},S(e.name,s)),a("td",{text:e.position??e.direction??
""}),a("td",{class:"nv-num",text:T(e.distance_m)}))});return a("table",{class:"nv-table"},a("tbody",{},t))}function $o(o,t){let e=o.map(s=>a("tr",{class:`nv-can\
d-${s.state}`},a("td",{},a("span",{class:`nv-cand nv-cand-${s.state}`,title:s.state})),a("td",{},t.nodeMark(s.node),s.label?` ${s.label}`:""),a("td",{text:s.direction??
""}),a("td",{class:"nv-num",text:Co(s)}),a("td",{},s.reason?f(t.linker,s.reason):"")));return a("table",{class:"nv-table"},a("tbody",{},e))}function Co(o){return o.
score!==void 0?x(o.score,3):o.distance_m===void 0?"":T(o.distance_m)}var Gt={TODO:["todo","to do"],IN_PROGRESS:["doing","in progress"],COMPLETED:["done","completed"],SKIPPED:["skipped","skipped"]},bt=class{constructor(t){this.player=
t}sections(t){return[this.instruction(),this.plan(t),t?this.decision(t):this.hint()].filter(s=>s!==null)}instruction(){let{doc:t,linker:e}=this.player,s=t.episode.
instruction||"This episode has no instruction.";return a("section",{class:"nv-instruction"},a("h3",{text:"Instruction"}),a("p",{},f(e,s)))}plan(t){let{doc:e}=this.
player,s=t?.plan??e.planning.sub_goals;if(!s.length&&!e.episode.tasks.length)return null;let n=t?.sub_goal,i=s.length?s.map(([l,h,c],p)=>this.subGoal(p,this.player.
text(l),h,c,n)):e.episode.tasks.map((l,h)=>this.subGoal(h,l.description,"TODO",null,n)),r=a("ol",{class:"nv-plan"},i);return n!==void 0&&queueMicrotask(()=>_e(r,
i[n])),a("section",{class:"nv-plan-box"},a("h3",{text:s.length?"Plan":"Tasks"}),r)}subGoal(t,e,s,n,i){let[r,l]=Gt[s]??Gt.TODO,h=`nv-${r}${t===i?" nv-current":""}`,
c={click:()=>this.player.toSubGoal(t)};return a("li",{class:h,title:`Sub-goal ${t+1}: ${l}`,on:c},a("span",{class:"nv-state","aria-label":l,role:"img"}),a("span",
{class:"nv-what"},f(this.player.linker,e)),n?a("span",{class:"nv-try",title:`try ${n} of this sub-goal`,text:`try ${n}`}):null)}hint(){let{doc:t}=this.player,e="\
This run has no steps.";return t.steps.length?e="Before the first step. Press → or space.":t.running&&(e="The run is starting."),a("section",{class:"nv-decisi\
on nv-mute"},a("p",{text:e}))}decision(t){let e=t.decision,s=this.player.doc.divergence?.step===this.player.step,n=[e&&!e.legal?a("span",{class:"nv-flag nv-bad",
text:"illegal"}):null,t.retries?a("span",{class:"nv-flag nv-warn",text:z(t.retries,"retry","retries")}):null,e?.stop?a("span",{class:"nv-flag",text:"stops"}):null,
s?a("span",{class:"nv-flag nv-warn",text:"leaves the route"}):null];return a("section",{class:"nv-decision"},a("h3",{},"Decision",n),a("p",{class:"nv-where"},this.
move(t)),e?.reason?a("p",{class:"nv-reason"},f(this.player.linker,e.reason)):null)}move(t){let{doc:e,atEnd:s}=this.player,n=this.player.nodeMark(t.node),i=t.decision;
if(!i){let l=t.path.length>0;return[e.running&&s?"deciding at ":l?"walked from ":"at ",n,...l?[" to ",this.player.nodeMark(t.path.at(-1))]:[]]}let r=t.path.length-
1;return[n,a("span",{class:"nv-arrow",text:" → "}),i.target_id?this.player.nodeMark(i.target,i.target_id):a("span",{class:"nv-mute",text:i.stop?"stop":"no pla\
ce named"}),i.sub_goal_status?this.verdict(i.sub_goal_status):null,r>0?a("span",{class:"nv-mute",text:` ${z(r,"link","links")}`}):null]}verdict(t){let[e,s]=Gt[t]??
["todo",t];return a("span",{class:`nv-verdict nv-${e}`,text:s})}};function Ke(o,t,e){return t===void 0?a("span",{class:"nv-mute",text:"an unknown place (hole in\
 the log)"}):typeof t=="number"?S(e??o.nodes.ids[t],`n:${t}`):a("span",{class:"nv-foreign",title:"This id is not in the graph.",text:e??t})}var Po=30,vt=class{constructor(t,e){this.player=t,this.folds=new Map,this.tab=t.options.tab??"thoughts",this.chosen=!1,this.shown=null,this.top=a("div",{class:"\
nv-pane-top"}),this.split=a("div",{class:"nv-split nv-split-row"}),this.tabs=a("div",{class:"nv-tabs",role:"tablist"}),this.body=a("div",{class:"nv-tab-body",role:"\
tabpanel",tabindex:-1}),e.append(this.top,this.split,this.tabs,this.body),this.topView=new bt(t),this.calls=new wt(t,this.folds)}show(t){let{doc:e}=this.player,
s=t??e.planning,{body:n}=this,i=e.running&&n.scrollHeight-n.scrollTop-n.clientHeight<Po;this.top.replaceChildren(...this.topView.sections(t));let r=this.tabList(
s,t),l=r.find(d=>d.key===this.tab)??r[0],h=l.empty&&!this.chosen?r.find(d=>!d.empty)??l:l;this.tabs.replaceChildren(...r.map(d=>this.tabButton(d,d===h)));let c=this.
shown===h.key,p=n.scrollTop;this.shown=h.key,n.replaceChildren(h.draw()),i&&c?n.scrollTop=n.scrollHeight:n.scrollTop=c&&(h.key==="prompt"||e.running)?p:0}open(t){
this.tab=t,this.chosen=!0,this.player.repaintPane()}tabList(t,e){let{calls:s}=t,n=this.player.atEnd?this.player.doc.streaming:{},r=[{key:"thoughts",name:"Though\
ts",empty:!s.some(h=>h.thoughts!==void 0)&&!n.thoughts,draw:()=>this.calls.thoughts(s,n)},{key:"prompt",name:"Prompt",empty:!s.length,draw:()=>this.calls.prompts(
s)},{key:"reply",name:"Reply",empty:!s.length&&!n.reply,draw:()=>this.calls.replies(s,n)}];e&&r.push({key:"seen",name:"Seen",empty:!e.observation,draw:()=>qe(e,
this.player,this.calls)});let l={linker:this.player.linker,doc:this.player.doc,folds:this.folds,step:this.player.step};for(let h of t.panels)r.push({key:`panel:${h.
title}`,name:h.title,empty:!1,draw:()=>Ve(h,l)});return r}tabButton(t,e){return a("button",{class:`nv-tab${e?" nv-open":""}${t.empty?" nv-empty":""}`,role:"tab",
type:"button","aria-selected":String(e),title:t.name,text:t.name,data:{tab:t.key},on:{mousedown:k,click:()=>this.open(t.key)}})}scrollTo(t){let e=this.body.querySelector(
`[data-ref="${CSS.escape(t)}"]`);e&&this.scrollToElement(e)}scrollToElement(t){let e=t.getBoundingClientRect().top-this.body.getBoundingClientRect().top+this.body.
scrollTop;this.body.scrollTo({top:e-60,behavior:"smooth"})}};function Xe(){let o=new URLSearchParams(location.search);return[location.pathname,o.get("run"),o.get("episode")].join(" ")}var kt=class{constructor(t){this.player=
t,this.place=Xe(),this.written=0,this.waiting=void 0}get on(){return this.player.options.deepLink!==!1}start(){let{doc:t,count:e,options:s}=this.player,n=(this.
on?this.told():null)??s.step??"";return/^\d+$/.test(String(n))?Math.min(Number(n),e):t.running?e:Math.min(1,e)}told(){return new URLSearchParams(location.search).
get("step")}remember(){this.on&&(clearTimeout(this.waiting),performance.now()-this.written>250?this.write():this.waiting=setTimeout(()=>this.write(),120))}write(){
if(this.written=performance.now(),this.place!==Xe())return;let t=new URL(location.href);t.searchParams.set("step",String(this.player.step));try{history.replaceState(
history.state,"",t)}catch{}}keep(){this.written&&this.told()!==String(this.player.step)&&this.remember()}forget(){clearTimeout(this.waiting)}};var Je={NE:"Navigation error: distance from the stop to the goal, in metres",TL:"Length of the agent's path, in metres",SPL:"Success weighted by path length",nDTW:"\
Normalised dynamic time warping",SDTW:"Success weighted by nDTW",CLS:"Coverage weighted by length score"},Ro=new Set(["NE","TL"]),No=new Set(["error","budget","\
limit"]),zo=10,St=class{constructor(t,e,s){this.player=t,this.headBox=e,this.noteBox=s}show(){let{doc:t,options:e}=this.player,n=[...new Set([t.run,t.navigator,
t.model].filter(Boolean))].join("  ·  ");this.headBox.hidden=e.header===!1,this.headBox.replaceChildren(a("h2",{text:t.title,title:t.title}),a("span",{class:"n\
v-facts",text:n,title:n}),a("span",{class:"nv-gap"}),...this.figures()),this.showNotes()}showNotes(){let{doc:t,linker:e}=this.player,s=[...t.notes];t.end&&No.has(
t.end.status)&&s.push(`The run ended early (${t.end.status})${t.end.reason?`: ${t.end.reason}`:"."}`);let n=t.divergence?.sentence;this.noteBox.replaceChildren(
...n?[t.divergence?.step?this.divergence(n):a("p",{class:"nv-note"},f(e,n))]:[],...s.map(i=>a("p",{class:"nv-note",text:i})))}divergence(t){return a("button",{type:"\
button",class:"nv-note nv-note-divergence",title:"Go to this step (d)",on:{mousedown:k,click:()=>this.player.toDivergence()}},a("span",{class:"nv-glyph nv-mark-\
divergence"}),a("span",{},f(this.player.linker,t)))}figures(){let{doc:t}=this.player,e=Object.keys(Je).filter(s=>s in t.metrics);return[this.outcome(),...e.map(
s=>this.figure(s))].filter(s=>s!==null)}outcome(){let{doc:t}=this.player;if(t.running)return a("span",{class:"nv-outcome nv-live",text:"running"});let e=t.metrics.
SR;return e==null?null:e>=1?a("span",{class:"nv-outcome nv-success",text:"✓ success"}):a("span",{class:"nv-outcome nv-failure",text:"✕ failure"})}figure(t){
let{metrics:e,compare:s}=this.player.doc,n=s?.metrics[t];return a("span",{class:"nv-figure",title:Je[t]},a("span",{text:t}),a("b",{text:this.told(t,e[t])}),n==null?
null:a("i",{text:`was ${this.told(t,n)}`}))}told(t,e){if(!Ro.has(t))return x(e,2);let s=this.player.doc.episode.success_radius_m<zo;return T(e,s?2:(e??0)<100?1:
0)}};var Wt=[["← →","step"],["shift + ← →","sub-goal"],["home, end","start, end"],["space","play, pause"],["1 – 9","speed"],["d","to the divergence"],["ctr\
l + k, /","search"],["f","present"],["escape","leave"],["?","these keys"]],Bo=[["n, p","next, previous episode"]],Mt=class{constructor(t){let e=t.options.episodes?
[...Wt.slice(0,6),...Bo,...Wt.slice(6)]:Wt;this.box=a("dialog",{class:"nv-help","aria-label":"Keys"},a("h3",{text:"Keys"}),a("dl",{},e.flatMap(([s,n])=>[a("dt",
{text:s}),a("dd",{text:n})])),a("p",{class:"nv-mute",text:"Point at a node id, a letter or a landmark in any text: the map shows where it is. Click it, and the \
map goes there."})),t.root.append(this.box)}get isOpen(){return this.box.open}close(){this.box.close()}toggle(){this.isOpen?this.close():this.box.show()}};var I=[],G=null;function Qe(o){I.length||window.addEventListener("keydown",es),I.push(o),Ho(o)}function ts(o){I.splice(I.indexOf(o),1),G===o&&(G=null),I.length||
window.removeEventListener("keydown",es)}function Zt(o){G=o}function jo(){return G&&Ye(G)?G:I.findLast(Ye)??null}var Ye=o=>o.root.isConnected&&o.root.getClientRects().
length>0;function Ho(o){let{activeElement:t}=document;t instanceof HTMLInputElement&&t.getAttribute("role")==="combobox"&&t.getAttribute("aria-expanded")!=="tru\
e"&&!o.root.contains(t)&&t.blur()}function es(o){let t=jo();if(!t||o.defaultPrevented)return;let s=(o.ctrlKey||o.metaKey)&&!o.altKey&&!o.shiftKey&&o.key.toLowerCase()===
"k"?()=>t.search.open():Do(t,o);s&&(o.preventDefault(),o.stopPropagation(),s())}function Do(o,t){return t.ctrlKey||t.metaKey||t.altKey||Uo(t)?null:Fo(o,t)}function Fo(o,{
key:t,shiftKey:e}){let s=n=>()=>{o.pause(),e?o.bySubGoal(n):o.go(o.step+n)};if(/^[1-9]$/.test(t))return()=>o.transport.setSpeed(Number(t));switch(t){case"ArrowR\
ight":return s(1);case"ArrowLeft":return s(-1);case"Home":return()=>o.go(0);case"End":return()=>o.go(o.count);case" ":return()=>o.toggle();case"d":return()=>o.toDivergence();case"\
n":return o.options.episodes?()=>o.toEpisode("next"):null;case"p":return o.options.episodes?()=>o.toEpisode("previous"):null;case"f":return()=>o.present();case"\
?":return()=>o.help.toggle();case"/":return()=>o.search.open();case"Escape":return Io(o);default:return null}}function Io(o){return o.help.isOpen?()=>o.help.close():
o.presenter.on?()=>o.present(!1):null}var Go="textarea, select, [contenteditable=''], [contenteditable=true]",Wo=new Set(["button","checkbox","color","file","im\
age","radio","range","reset","submit"]),Zo="[role=slider], [role=listbox], [role=option], [role=menu], [role=grid], [role=radiogroup], [role=tablist], canvas[ta\
bindex], input",Vo="button, summary, a, [role=button], [role=checkbox], [role=switch], label";function Uo(o){let t=o.composedPath()[0];return t instanceof Element?
t instanceof HTMLInputElement&&!Wo.has(t.type)?!(t.getAttribute("role")==="combobox"&&t.getAttribute("aria-expanded")!=="true"&&!t.value&&/^(Arrow(Left|Right)|Home|End)$/.
test(o.key)):t.closest(Go)||t.closest("dialog[open] input")?!0:t.matches(":focus-visible")?o.key===" "||o.key==="Enter"?t.closest(Vo)!==null:t.closest(".navviz-\
player")===null&&t.closest(Zo)!==null:!1:!1}var qo=30,Vt=14,Ko=.0165,Xo=5,Lt=class{constructor(t){this.player=t,this.wasFull=!1,this.instruction=a("div",{class:"nv-told",hidden:!0}),t.main.before(this.instruction);
let{signal:e}=t.stopped;document.addEventListener("fullscreenchange",()=>this.onFullscreen(),{signal:e}),window.addEventListener("resize",()=>this.fitType(),{signal:e})}get on(){
return this.player.root.classList.contains("nv-present")}turn(t=!this.on){t!==this.on&&(this.player.root.classList.toggle("nv-present",t),t?this.enterTop():this.
leaveTop(),this.player.repaintPane(),requestAnimationFrame(()=>{this.player.map.resize(),this.player.map.fit(!1)}))}onFullscreen(){!document.fullscreenElement&&
this.wasFull&&this.turn(!1),this.wasFull=!!document.fullscreenElement}enterTop(){let{root:t,options:e}=this.player;t.setAttribute("popover","manual");try{t.showPopover()}catch{}
e.fullscreen!==!1&&t.ownerDocument.documentElement.requestFullscreen?.().catch(()=>{})}leaveTop(){let{root:t}=this.player;t.style.removeProperty("font-size"),this.
instruction.hidden=!0;try{t.hidePopover()}catch{}t.removeAttribute("popover"),document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}fitType(){if(!this.
on)return;let{root:t,pane:e}=this.player;this.instruction.replaceChildren(...e.top.querySelectorAll(".nv-instruction")),this.instruction.hidden=!1;let s=Math.min(
qo,Math.max(Vt,window.innerWidth*Ko));for(;s>Vt;s-=1)if(t.style.fontSize=`${s}px`,this.fits(s))return;t.style.fontSize=`${Vt}px`}fits(t){let{pane:e,paneBox:s}=this.
player,n=e.top.querySelector(".nv-plan"),i=e.top.scrollHeight<=e.top.clientHeight+1&&(!n||n.scrollHeight<=n.clientHeight+1),r=s.clientHeight-e.top.scrollHeight-
e.tabs.offsetHeight;return i&&r>=Xo*1.5*t&&this.instruction.offsetHeight<.28*window.innerHeight}};function os(o,t){let e=[{what:"instruction",tab:null,step:0,text:o.episode.instruction}];o.planning.sub_goals.forEach(([s],n)=>{let i=o.steps.findIndex(r=>r.sub_goal===
n);e.push({what:`sub-goal ${n+1}`,tab:null,step:i+1,text:t[s]??""})});for(let s of o.planning.landmarks){let n=o.steps.findIndex(i=>i.observation?.pois.some(r=>r.
name===s.name));e.push({what:"landmark",tab:null,step:n+1,text:s.name})}return ss(e,o.planning.calls,0,t),o.steps.forEach((s,n)=>{ss(e,s.calls,n+1,t);for(let i of s.
observation?.pois??[])e.push({what:"landmark",tab:"seen",step:n+1,text:i.name});s.decision?.reason&&e.push({what:"decision",tab:null,step:n+1,text:s.decision.reason})}),
e}function ss(o,t,e,s){for(let n of t){n.thoughts!==void 0&&o.push({what:"thoughts",tab:"thoughts",step:e,text:s[n.thoughts]??""}),n.reply!==void 0&&o.push({what:"\
reply",tab:"reply",step:e,text:s[n.reply]??""});let i=n.messages.map(({parts:r})=>r.map(([,l])=>s[l]??"").join("")).join(`

`);i&&o.push({what:"prompt",tab:"prompt",step:e,text:i})}}function ns(o,t,e){let s=t.trim().toLowerCase();if(!s)return[];let n=[];for(let i of[...o].sort((r,l)=>+(r.
what==="prompt")-+(l.what==="prompt"))){let r=i.text.toLowerCase(),l=0;for(let h=0;h<3;h+=1){let c=r.indexOf(s,l);if(c<0)break;if(l=c+s.length,n.push({...i,...Jo(
i.text,c,s.length)}),n.length===e)return n}}return n}function Jo(o,t,e){let s=r=>r.replace(/\s+/g," "),n=Math.max(0,t-48),i=Math.min(o.length,t+e+48);return{before:s(
(n>0?"…":"")+o.slice(n,t)),match:s(o.slice(t,t+e)),after:s(o.slice(t+e,i)+(i<o.length?"…":""))}}var Ut=60,Tt=class{constructor(t){this.player=t,this.hits=[],this.chosen=0,this.known=null;let e={input:()=>this.look(),keydown:s=>this.onKey(s)};this.field=a("\
input",{type:"search",class:"nv-search-field","aria-label":"Search",placeholder:"Search prompts, thoughts, replies, landmarks",on:e}),this.list=a("ol",{class:"n\
v-hits"}),this.note=a("p",{class:"nv-mute nv-search-note"}),this.box=a("dialog",{class:"nv-search","aria-label":"Search"},this.field,this.list,this.note),t.root.
append(this.box),this.box.addEventListener("focusout",s=>{this.box.contains(s.relatedTarget)||this.box.close()})}open(){this.player.pause(),this.box.open||this.
box.show(),this.field.focus(),this.field.select(),this.look()}all(){let{doc:t,strings:e}=this.player;return this.known?.doc!==t&&(this.known={doc:t,all:os(t,e)}),
this.known.all}look(){let t=this.field.value;this.hits=ns(this.all(),t,Ut),this.chosen=0,this.note.textContent=this.said(t),this.list.replaceChildren(...this.hits.
map((e,s)=>this.row(e,s))),this.choose(0)}said(t){return t.trim()?this.hits.length?this.hits.length===Ut?`The first ${Ut} places`:"":"Nothing in this episode sa\
ys that.":"↑ ↓ choose, enter goes to the step, escape leaves"}row(t,e){return a("li",{class:"nv-hit",on:{mousedown:n=>n.preventDefault(),click:()=>this.go(e),
mousemove:()=>this.choose(e)}},a("span",{class:"nv-hit-where",text:`${t.step===0?"start":`step ${t.step}`} · ${t.what}`}),a("span",{class:"nv-hit-text"},t.before,
a("mark",{text:t.match}),t.after))}choose(t){this.chosen=Math.max(0,Math.min(this.hits.length-1,t)),[...this.list.children].forEach((e,s)=>{e.classList.toggle("\
nv-on",s===this.chosen),s===this.chosen&&e.scrollIntoView({block:"nearest"})})}onKey(t){if(t.key==="Escape")this.box.close();else if(t.key==="Enter")this.go(this.
chosen);else if(t.key==="ArrowDown")this.choose(this.chosen+1);else if(t.key==="ArrowUp")this.choose(this.chosen-1);else return;t.preventDefault(),t.stopPropagation()}go(t){
let e=this.hits[t];if(!e)return;this.box.close();let{player:s}=this;s.go(e.step),e.tab&&(s.pane.open(e.tab),this.show(e))}show(t){let{body:e}=this.player.pane,s=Yo(
e,t.match.toLowerCase());if(!s?.startContainer.parentElement)return;let n=s.startContainer.parentElement;for(let i=n.closest("details");i;i=i.parentElement?.closest(
"details")??null)i.open=!0;this.player.pane.scrollToElement(n),getSelection()?.removeAllRanges(),getSelection()?.addRange(s)}};function Yo(o,t){let e=document.createTreeWalker(
o,NodeFilter.SHOW_TEXT),s=[],n="";for(;e.nextNode();){let p=e.currentNode;s.push([p,n.length]),n+=p.data}let i=n.toLowerCase().indexOf(t);if(i<0)return null;let r=p=>s.
findLast(([,d])=>d<=p),l=r(i),h=r(i+t.length-1);if(!l||!h)return null;let c=document.createRange();return c.setStart(l[0],i-l[1]),c.setEnd(h[0],i+t.length-h[1]),
c}function is(o){let t=[];return o.forEach((e,s)=>{let n=e.sub_goal??null,i=t.at(-1);i&&i.goal===n?i.to=s+1:t.push({goal:n,from:s+1,to:s+1})}),t}function rs(o,t,e,s){
let n=[0,...o.map(i=>i.from),e];return s>0?n.find(i=>i>t):n.findLast(i=>i<t)}var At=.2,Ot=class{constructor(t,e,s){this.player=t,this.make(e,"column",t.main,"map and text"),this.make(s,"row",t.paneBox,"plan and thoughts")}make(t,e,s,n){t.
setAttribute("role","separator"),t.setAttribute("aria-orientation",e==="column"?"vertical":"horizontal"),t.title=`Drag to share the room between ${n}; double-cl\
ick for the first share`;let i=ht(`split.${e}`);typeof i=="number"&&this.set(s,e,i),t.addEventListener("pointerdown",r=>{r.preventDefault(),t.setPointerCapture(
r.pointerId),t.dataset.held="true"}),t.addEventListener("pointermove",r=>{t.dataset.held&&this.set(s,e,as(s,e,r))}),t.addEventListener("pointerup",r=>{t.dataset.
held&&(delete t.dataset.held,q(`split.${e}`,as(s,e,r)))}),t.addEventListener("dblclick",()=>{s.style.removeProperty(`--nv-${e}`),delete s.dataset[e],q(`split.${e}`,
null)})}set(t,e,s){t.style.setProperty(`--nv-${e}`,`${(100*Math.min(1-At,Math.max(At,s))).toFixed(2)}%`),t.dataset[e]="set"}};function as(o,t,e){let s=o.getBoundingClientRect(),
n=t==="column"?(e.clientX-s.left)/s.width:(e.clientY-s.top)/s.height;return Math.min(1-At,Math.max(At,n))}function Qo(o){let t=/^#([0-9a-f]{3}|[0-9a-f]{6})/i.exec(o)?.[1],e;return t?e=(t.length===3?[...t].map(n=>n+n):t.match(/../g)??[]).map(n=>Number.parseInt(n,16)):
e=/rgba?\(([^)]+)\)/.exec(o)?.[1].split(/[ ,/]+/).slice(0,3).map(Number),e?(.2126*e[0]+.7152*e[1]+.0722*e[2])/255:null}function Y(o){let t=getComputedStyle(o.parentElement??
o).getPropertyValue("--st-background-color").trim(),e=t?Qo(t):null;return e!==null?e>.5?"light":"dark":matchMedia("(prefers-color-scheme: dark)").matches?"dark":
"light"}var _t=class{constructor(t){this.root=t,this.known=new Map}get(t){let e=`${this.root.dataset.theme} ${t}`,s=this.known.get(e)??getComputedStyle(this.root).
getPropertyValue(`--nv-${t}`).trim();return this.known.set(e,s),s}};var tn=250,Et=class{constructor(t,e){this.player=t,this.held=!1,this.track=a("div",{class:"nv-track",role:"slider",tabindex:0,"aria-label":"Step","aria-valuemin":0}),
this.track.addEventListener("pointerdown",s=>this.grab(s)),this.track.addEventListener("pointermove",s=>{s.buttons===1&&this.held&&this.seek(s)}),this.track.addEventListener(
"pointerup",()=>{this.held=!1}),e.append(this.track),this.cursor=a("div",{class:"nv-cursor"}),this.count=0,this.segments=[],this.segmentNodes=[],this.build()}get doc(){
return this.player.doc}build(){this.count=this.doc.steps.length,this.segments=is(this.doc.steps),this.segmentNodes=this.segments.map((t,e)=>this.segment(t,e)),this.
track.replaceChildren(this.distances(),this.label(),...this.segmentNodes,...this.cells(),...this.marks(),this.cursor),this.track.setAttribute("aria-valuemax",String(
this.count))}left(t){return 100*t/(this.count+1)}middle(t){return 100*(t+.5)/(this.count+1)}label(){let t=this.doc.steps.some(s=>s.to_goal_m!==void 0),e=this.left(
1)<7?"":t?"distance to goal":"start";return a("div",{class:"nv-track-label",style:{width:`${this.left(1)}%`},text:e})}segment({goal:t,from:e,to:s},n){let i=this.
doc.steps[e-1].plan??this.doc.planning.sub_goals,r=t===null?void 0:i[t],l=t===null?"":`${t+1}  ${r?(this.player.strings[r[0]]??"").slice(0,300):""}`,h=`nv-segme\
nt${n%2?" nv-odd":""}${t===null?" nv-unplanned":""}`,c={left:`${this.left(e)}%`,width:`${this.left(s+1)-this.left(e)}%`};return a("div",{class:h,title:l,style:c},
a("span",{text:l}))}cells(){return this.count>tn?[]:Array.from({length:this.count+1},(t,e)=>a("div",{class:"nv-tick",style:{left:`${this.left(e)}%`}}))}marks(){
let{doc:t}=this,e=[],s=(r,l,h)=>{let c={mark:l,step:r};e.push(a("div",{class:`nv-mark nv-mark-${l}`,title:`Step ${r}: ${h}`,data:c,style:{left:`${this.middle(r)}\
%`}}))};t.steps.forEach((r,l)=>{r.decision&&!r.decision.legal?s(l+1,"illegal","illegal decision"):r.retries&&s(l+1,"retry","retried")});let n=t.divergence;n?.step&&
s(n.step,"divergence",n.sentence??"leaves the reference path"),n?.returned_step&&s(n.returned_step,"returned","back on the reference path");let i=t.compare?.first_difference;
return i&&i<=this.count&&s(i,"difference","first difference to the run compared"),t.forked_from?.step&&s(Math.min(t.forked_from.step,this.count),"fork","forked \
here"),t.end&&this.count&&s(this.count,"stop",`the end (${t.end.status})`),e}distances(){let t=this.doc.steps.map(c=>c.to_goal_m),e=g("svg",{class:"nv-distances",
viewBox:"0 0 100 100",preserveAspectRatio:"none","aria-hidden":"true"}),s=t.filter(c=>c!==void 0);if(s.length<2)return e;let n=this.doc.episode.success_radius_m,
i=Math.max(...s,n*2),r=c=>96-88*c/i,l=t.flatMap((c,p)=>c===void 0?[]:[[this.middle(p+1),r(c)]]),h=l.map(c=>c.join(",")).join(" ");return e.append(g("polygon",{points:`${l[0][0]}\
,100 ${h} ${l[l.length-1][0]},100`}),g("polyline",{points:h,"vector-effect":"non-scaling-stroke"}),g("line",{x1:0,x2:100,y1:r(n),y2:r(n),"vector-effect":"non-sc\
aling-stroke"})),e}show(t){this.cursor.style.setProperty("left",`${this.middle(t)}%`),this.track.setAttribute("aria-valuenow",String(t)),this.segments.forEach(({
from:e,to:s},n)=>{this.segmentNodes[n].classList.toggle("nv-now",t>=e&&t<=s)})}grab(t){t.button===0&&(this.held=!0,this.track.setPointerCapture(t.pointerId),t.preventDefault(),
this.seek(t))}seek(t){let e=this.track.getBoundingClientRect(),s=(t.clientX-e.left)/e.width;this.player.pause(),this.player.go(Math.floor(s*(this.player.count+1)))}};var en=2400,sn=2,$t=class{constructor(t,e){this.player=t,this.speed=sn,this.timer=null,this.playButton=this.button("play","Play (space)",()=>this.toggle()),this.
where=a("span",{class:"nv-step"}),this.tally=a("span",{class:"nv-tally"}),this.speedBox=this.speeds(),e.append(this.bar())}button(t,e,s){return w(t,e,s,{press:t})}bar(){
let{player:t}=this;return a("div",{class:"nv-transport"},this.button("first","Start (home)",()=>t.go(0)),this.button("previous","Step back (←)",()=>t.go(t.step-
1)),this.playButton,this.button("next","Step on (→)",()=>t.go(t.step+1)),this.button("last","End (end)",()=>t.go(t.count)),this.speedBox,this.where,a("span",{
class:"nv-gap"}),this.tally,(t.options.actions??[]).map(e=>this.action(e)),this.button("search","Search (ctrl + k)",()=>t.search.open()),this.button("keys","Key\
s (?)",()=>t.help.toggle()),this.button("present","Present (f)",()=>t.present()))}action({name:t,label:e}){return a("button",{type:"button",class:"nv-action",data:{
action:t},on:{mousedown:k,click:()=>this.player.options.onAction?.(t,this.player.step)},text:e})}speeds(){let t=Array.from({length:9},(n,i)=>a("option",{value:i+
1,text:`${i+1}×`})),s=a("select",{class:"nv-speed",title:"Speed (1 – 9)","aria-label":"Speed",on:{change:()=>{this.setSpeed(Number(s.value)),s.blur()}}},t);return s.
value=String(this.speed),s}show(t){let{player:e}=this;this.where.replaceChildren(a("b",{text:`Step ${e.step}`}),` of ${e.count}`);let s=t.partial?"+":"";this.tally.
replaceChildren(this.fact("tokens",t.tokens===void 0?"–":x(t.tokens)+s,"Tokens so far; a dash where the log does not say"),this.fact("time",ot(t.seconds),"Tim\
e of the model calls so far"),this.fact("cost",st(t.cost_usd),"Cost so far"))}fact(t,e,s){return a("span",{title:s,class:e==="–"?"nv-unknown":""},a("i",{text:t}),
e)}get playing(){return this.timer!==null}toggle(){this.playing?this.pause():this.play()}play(){let{player:t}=this;t.count&&(t.atEnd&&!t.doc.running&&t.go(0),this.
timer=setInterval(()=>this.tick(),en/this.speed),this.playButton.replaceChildren(et("pause")),t.root.dataset.playing="true")}tick(){this.player.atEnd?this.pause():
this.player.go(this.player.step+1)}pause(){this.timer!==null&&(clearInterval(this.timer),this.timer=null,this.playButton.replaceChildren(et("play")),this.player.
root.dataset.playing="false")}setSpeed(t){this.speed=t,this.speedBox.value=String(t),this.playing&&(this.pause(),this.play())}};async function qt(o){if(Array.isArray(o))return o;let t=Uint8Array.from(atob(o.gzip),s=>s.charCodeAt(0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream(
"gzip"));return new Response(e).json()}var on=460,nn=1e3,rn=860,W=class o{static async mount(t,e,s={}){return new o(t,e,s,await qt(e.strings))}constructor(t,e,s,n){this.root=t,this.options={deepLink:!0,
...s},this.doc=e,this.strings=n,this.linker=new X(e),this.places=new Map,this.address=new kt(this),this.step=this.address.start(),this.stopped=new AbortController,
this.hovered=null,this.colors=new _t(t),this.prepareRoot(),this.mapBox=a("div",{class:"nv-map"}),this.paneBox=a("div",{class:"nv-pane"});let i=a("header",{class:"\
nv-head"}),r=a("div",{class:"nv-notes"}),l=a("footer",{class:"nv-foot"}),h=a("div",{class:"nv-split nv-split-column"});this.main=a("div",{class:"nv-main"},this.
mapBox,h,this.paneBox),t.append(a("div",{class:"nv-frame"},i,r,this.main,l)),this.fillHeight(),this.head=new St(this,i,r),this.head.show(),this.pane=new vt(this,
this.paneBox),this.timeline=new Et(this,l.appendChild(a("div",{class:"nv-line"}))),this.transport=new $t(this,l),this.help=new Mt(this),this.search=new Tt(this),
this.presenter=new Lt(this),this.splits=new Ot(this,h,this.pane.split);let c=e.frame==="geo"?yt:gt;this.map=new c(this.mapBox,e,this.mapApi()),this.listen(),this.
show(),Qe(this)}prepareRoot(){let{root:t,doc:e}=this;t.replaceChildren(),t.classList.add("navviz-player"),t.dataset.ready="false",t.dataset.theme=this.options.theme??
Y(t),t.dataset.episode=e.episode.id,t.dataset.steps=String(this.count)}get count(){return this.doc.steps.length}get atEnd(){return this.step===this.count}get current(){
return this.step===0?null:this.doc.steps[this.step-1]}text(t){return this.strings[t]??""}nodeMark(t,e){return Ke(this.doc,t,e)}mapApi(){let t=this;return{get doc(){
return t.doc},options:this.options,resolve:(e,s)=>this.resolve(e,s),hover:e=>this.lightText(e),pick:e=>this.pane.scrollTo(e),mentions:e=>this.paneBox.querySelectorAll(
`[data-ref="${CSS.escape(e)}"]`).length,color:e=>this.colors.get(e),focus:()=>Zt(this)}}resolve(t,e){let s=`${e} ${t}`,n=this.places.get(s)??(t.startsWith("n:")?
this.nodePlace(Number(t.slice(2))):this.namedPlace(t,e));return this.places.set(s,n),n}nodePlace(t){let e=this.doc.frame==="geo"?2:3,{ids:s,at:n}=this.doc.nodes;
return{label:s[t],nodes:[t],at:[n.slice(t*e,t*e+e)]}}namedPlace(t,e){let s=l=>l.filter(h=>b(h.name)===t&&h.at),n=l=>s(l?.observation?.pois??[]),i=n(this.doc.steps[e-
1]);i.length||(i=this.doc.steps.flatMap(n)),i.length||(i=s(this.doc.pois));let r=i.map(l=>l.node).filter(l=>typeof l=="number");return{label:i[0]?.name??t.slice(
2),nodes:r,at:i.flatMap(l=>l.at?[l.at]:[])}}lightText(t){for(let e of this.root.querySelectorAll(".nv-ref.nv-lit"))e.classList.remove("nv-lit");for(let e of t)for(let s of this.
root.querySelectorAll(`[data-ref="${CSS.escape(e)}"]`))s.classList.add("nv-lit")}go(t){let e=Math.max(0,Math.min(this.count,t));e!==this.step&&(this.step=e,this.
show(),this.address.remember(),this.options.onStep?.(e))}show(){let{current:t}=this;this.linker.setStep(t),this.pane.show(t),this.presenter.fitType(),this.timeline.
show(this.step),this.map.showStep(this.step),this.transport.show(t?.so_far??this.doc.planning.so_far),this.root.dataset.step=String(this.step),this.root.dataset.
ready!=="true"&&requestAnimationFrame(()=>requestAnimationFrame(()=>this.painted()))}painted(){this.stopped.signal.aborted||(this.root.dataset.ready="true")}repaintPane(){
this.pane.show(this.current),this.presenter.fitType()}toDivergence(){let t=this.doc.divergence?.step??this.doc.compare?.first_difference;t&&(this.pause(),this.go(
t))}toSubGoal(t){let e=this.doc.steps.findIndex(s=>s.sub_goal===t);e<0||(this.pause(),this.go(e+1))}bySubGoal(t){let e=rs(this.timeline.segments,this.step,this.
count,t);e!==void 0&&this.go(e)}toEpisode(t){this.pause(),this.options.onAction?.(t,this.step)}toggle(){this.transport.toggle()}pause(){this.transport.pause()}present(t){
this.presenter.turn(t)}listen(){let{signal:t}=this.stopped,{root:e}=this;e.addEventListener("pointerdown",()=>Zt(this),{signal:t}),e.addEventListener("mouseover",
r=>this.onHover(r),{signal:t}),e.addEventListener("click",r=>this.onClick(r),{signal:t}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>this.
followTheme(),{signal:t});let{navigation:s}=window;s?.addEventListener("currententrychange",()=>this.address.keep(),{signal:t}),this.options.height==="fill"&&window.
addEventListener("resize",()=>this.fillHeight(),{signal:t});let n=new ResizeObserver(()=>this.map.resize());n.observe(this.mapBox);let i=new MutationObserver(()=>this.
followTheme());for(let r=e.parentElement;r;r=r.parentElement)i.observe(r,{attributes:!0,attributeFilter:["class","style"]});t.addEventListener("abort",()=>{n.disconnect(),
i.disconnect()})}onHover(t){let e=ls(t);e!==this.hovered&&(this.hovered=e,this.lightText(e?[e]:[]),this.map.highlight(e?[e]:[]))}onClick(t){let e=ls(t);!e||this.
mapBox.contains(t.target)||(t.stopPropagation(),this.map.panTo(e))}followTheme(){let t=this.options.theme??Y(this.root);t!==this.root.dataset.theme&&(this.root.
dataset.theme=t,this.map.setTheme())}fillHeight(){let{root:t,options:e}=this;if(typeof e.height=="number"&&(t.style.height=`${e.height}px`),e.height!=="fill")return;
let s=t.getBoundingClientRect().top+window.scrollY,n=t.clientWidth<rn?nn:on;t.style.height=`${Math.max(n,window.innerHeight-Math.min(s,320)-12)}px`}async update(t){
let e=await qt(t.strings),s=this.atEnd;this.doc=t,this.strings=e,this.linker=new X(t),this.places=new Map,this.step=s?this.count:Math.min(this.step,this.count),
this.root.dataset.steps=String(this.count),this.root.dataset.episode=t.episode.id,this.head.show(),this.timeline.build(),this.map.update(t),this.show()}destroy(){
this.pause(),this.address.forget(),this.presenter.turn(!1),this.stopped.abort(),ts(this),this.map.destroy(),this.root.replaceChildren(),this.root.removeAttribute(
"data-ready")}};function ls(o){let t=o.target instanceof Element?o.target.closest("[data-ref]"):null;return t instanceof HTMLElement||t instanceof SVGElement?t.
dataset.ref??null:null}var Jt={};ms(Jt,{pick:()=>un,player:()=>pn});var an={start:"Click where the walk starts",goal:"Click the goal",again:"Click to choose a new start"},ln=120,hn=3e3,hs={ground:"#f3f4f2",casing:"#d5d8d6",street:"\
#ffffff",node:"#8d97a3",start:"#1b232c",goal:"#0072b2",hover:"#00a2c7"},cn={ground:"#14181d",casing:"#0d1013",street:"#3a434e",node:"#7c8794",start:"#e8edf3",goal:"\
#56b4e9",hover:"#63e0ff"},Ct=class o{static mount(t,e,s){return new o(t,e,s)}constructor(t,e,s){this.root=t,this.doc=e,this.options=s,this.colors=hs,t.classList.
add("navviz-pick"),this.box=a("div",{class:"nv-pick-map",role:"application","aria-label":"Map: click to choose a start and a goal"}),this.tip=a("div",{class:"nv\
-pick-tip"}),this.credit=a("div",{class:"nv-pick-credit"}),t.append(this.box,this.tip,this.credit);let n=e.frame==="geo"?{crs:L.CRS.EPSG3857,minZoom:11,maxZoom:20}:
{crs:L.CRS.Simple,minZoom:-2,maxZoom:8};this.map=L.map(this.box,{zoomControl:!0,attributionControl:!1,preferCanvas:!0,zoomSnap:.25,...n}),this.ground=L.layerGroup().
addTo(this.map),this.marks=L.layerGroup().addTo(this.map),this.map.on("click",i=>{let r=this.nearest(i.containerPoint);r!==null&&this.options.onPick(r)}),this.map.
on("mousemove",i=>this.hover(this.nearest(i.containerPoint))),this.map.on("mouseout",()=>this.hover(null)),this.sized=new ResizeObserver(()=>this.map.invalidateSize(
{animate:!1})),this.sized.observe(t),this.show(!0),this.map.setView(e.at[e.around??0]??[0,0],e.frame==="geo"?16:4),(e.frame!=="geo"||e.ids.length<hn)&&this.map.
fitBounds(L.latLngBounds(e.at).pad(.03))}update(t,e){let s=this.doc.ids.length===t.ids.length&&this.doc.ids[0]===t.ids[0];this.doc=t,this.options=e,this.show(!s)}show(t){
let e=Y(this.root),s=this.root.dataset.theme!==e;this.root.dataset.theme=e,this.colors=e==="dark"?cn:hs,this.root.style.height=`${this.options.height}px`,(t||s)&&
this.drawGround(),this.drawMarks(),this.tip.textContent=an[this.options.mode],this.credit.textContent=this.doc.attribution??""}drawGround(){let{doc:t,colors:e}=this;
this.ground.clearLayers(),this.box.style.background=e.ground;let s=t.links.map(([i,r])=>[t.at[i],t.at[r]]),n={interactive:!1,smoothFactor:0};L.polyline(s,{...n,
color:e.casing,weight:6}).addTo(this.ground),L.polyline(s,{...n,color:e.street,weight:4}).addTo(this.ground);for(let i of t.pois)L.circleMarker(i.at,{radius:3,stroke:!1,
fillColor:e.node,fillOpacity:.9}).bindTooltip(a("span",{text:i.name})).addTo(this.ground)}drawMarks(){let{doc:t,colors:e}=this;this.marks.clearLayers(),this.hover(
null),t.route.length&&L.polyline(t.route,{color:e.goal,weight:5,dashArray:"9 7",interactive:!1}).addTo(this.marks),this.mark(t.start,"Start",{color:e.start,weight:3,
fillColor:e.ground,fillOpacity:1}),this.mark(t.goal,"Goal",{color:e.goal,weight:4,fillColor:e.goal,fillOpacity:.5})}mark(t,e,s){if(t===null)return;L.circleMarker(
this.doc.at[t],{...s,radius:8,interactive:!1}).bindTooltip(e,{permanent:!0,direction:"right"}).addTo(this.marks)}nearest(t){let e=null,s=ln;return this.doc.at.forEach(
(n,i)=>{let r=this.map.latLngToContainerPoint(n).distanceTo(t);r<s&&(s=r,e=i)}),e}hover(t){this.lit?.remove(),this.lit=t===null?null:L.circleMarker(this.doc.at[t],
{radius:7,color:this.colors.hover,weight:3,fill:!1,interactive:!1}).addTo(this.map)}destroy(){this.sized.disconnect(),this.map.eachLayer(t=>{let e=t;e._redrawRequest&&
(L.Util.cancelAnimFrame(e._redrawRequest),e._redrawRequest=null)}),this.map.remove(),this.root.replaceChildren()}};var Xt=new WeakMap,Kt=new WeakMap;async function pn({data:o,parentElement:t,setTriggerValue:e}){let s=o instanceof Uint8Array?o:new Uint8Array(o),n=s.indexOf(10),
i=new TextDecoder().decode(s.subarray(0,n)),r=Xt.get(t);if(r&&(r.send=e),r?.digest===i)return r.destroy;let l=JSON.parse(new TextDecoder().decode(s.subarray(n+1)));
if(r){r.digest=i;let c=await r.player;return r.digest===i&&await c.update(l.document),r.destroy}let h=dn(t,i,e,l);return Xt.set(t,h),await h.player,h.destroy}function dn(o,t,e,s){
let n=document.createElement("div");o.append(n);let i={...s.options,onAction:(l,h)=>r.send("action",{name:l,step:h})},r={digest:t,send:e,player:W.mount(n,s.document,
i),destroy:()=>{Xt.delete(o),r.player.then(l=>{l.destroy(),n.remove()})}};return r}function un({data:o,parentElement:t,setTriggerValue:e}){let s={...o.options,onPick:r=>e(
"picked",r)},n=Kt.get(t);if(n)n.update(o.document,s);else{let r=document.createElement("div");t.append(r),n=Ct.mount(r,o.document,s),Kt.set(t,n)}let i=n;return()=>{
Kt.delete(t),i.destroy()}}globalThis.NavVizPlayer=W;globalThis.NavVizStreamlit=Jt;window.dispatchEvent(new Event("navviz-code"));})();
