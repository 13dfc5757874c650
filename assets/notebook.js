/* Built from assets/player/src by `npm run build`; do not edit. */
var y=["step","playing","selection"];function _(n){let{step:s,playing:i,selection:l}=n;return Number.isInteger(s)&&s>=0&&typeof i=="boolean"&&typeof l=="string"?{step:s,playing:i,selection:l.slice(
0,500)}:null}function b(n){let s=document.createElement("iframe");return s.className="navviz-replay",s.setAttribute("sandbox","allow-scripts"),s.allow="fullscre\
en",s.title=n.get("_title"),s.style.cssText=`width:100%;border:0;display:block;height:${n.get("height_px")}px`,s}function O({model:n,el:s}){let i=window,r=document.
querySelectorAll(`iframe[data-navviz="${CSS.escape(n.get("_frame"))}"]`).length?null:b(n),c=()=>r?[r]:[...document.querySelectorAll(`iframe[data-navviz="${CSS.escape(
n.get("_frame"))}"]`)],a=new WeakMap,v=!1,p=(e,t)=>e.contentWindow?.postMessage(t,"*"),m=()=>Object.fromEntries(y.map(e=>[e,n.get(e)])),f=()=>{if(v)return;let e=m();
for(let t of c())a.has(t)&&a.get(t)!==JSON.stringify(e)&&p(t,{navviz:"set",...e})},g=()=>{let e=n.get("_page");if(e)for(let t of c())a.delete(t),t.title=n.get("\
_title"),t.srcdoc=e},d=(e,t)=>{let o=_(t);if(!(!o||!a.has(e))){a.set(e,JSON.stringify(o)),v=!0;for(let[u,S]of Object.entries(o))n.set(u,S);v=!1,f(),n.save_changes()}},
z=e=>{let t=i.navvizWidgetPlotly??i.navvizPlotly;t?p(e,{navviz:"plotly",packed:t}):n.send({navviz:"plotly?"})},h=({source:e,data:t})=>{let o=c().find(u=>u.contentWindow===
e);!o||typeof t!="object"||t===null||(t.navviz==="ready"&&(a.set(o,""),f()),t.navviz==="state"&&d(o,t),t.navviz==="plotly?"&&z(o),t.navviz==="episode"&&["next",
"previous"].includes(t.to)&&n.send({navviz:t.to}))},w=e=>{if(!(e?.navviz!=="plotly"||typeof e.packed!="string")){i.navvizWidgetPlotly=e.packed;for(let t of c())
z(t)}};window.addEventListener("message",h);for(let e of y)n.on(`change:${e}`,f);n.on("change:_page",g),n.on("msg:custom",w),r&&(s.append(r),n.get("_page")?g():
n.send({navviz:"page?"}));for(let e of c())p(e,{navviz:"hello"});return()=>{window.removeEventListener("message",h);for(let e of y)n.off(`change:${e}`,f);n.off(
"change:_page",g),n.off("msg:custom",w),r?.remove()}}var k={render:O};export{k as default};
