/* Built from assets/player/src by `npm run build`; do not edit. */
var z=["step","playing","selection"];function b(n){let{step:o,playing:i,selection:v}=n;return Number.isInteger(o)&&o>=0&&typeof i=="boolean"&&typeof v=="string"?{step:o,playing:i,selection:v.slice(
0,500)}:null}function O(n){let o=document.createElement("iframe");return o.className="navviz-replay",o.setAttribute("sandbox","allow-scripts"),o.allow="fullscre\
en",o.title=n.get("_title"),o.style.cssText=`width:100%;border:0;display:block;height:${n.get("height_px")}px`,o}function k({model:n,el:o}){let i=window,c=document.
querySelectorAll(`iframe[data-navviz="${CSS.escape(n.get("_frame"))}"]`).length?null:O(n),a=()=>c?[c]:[...document.querySelectorAll(`iframe[data-navviz="${CSS.escape(
n.get("_frame"))}"]`)],r=new WeakMap,g=!1,f=(e,t)=>e.contentWindow?.postMessage(t,"*"),_=()=>Object.fromEntries(z.map(e=>[e,n.get(e)])),l=()=>{if(g)return;let e=_();
for(let t of a())r.has(t)&&r.get(t)!==JSON.stringify(e)&&f(t,{navviz:"set",...e})},p=()=>{let e=n.get("_page");if(e)for(let t of a())r.delete(t),t.title=n.get("\
_title"),t.srcdoc=e},u=()=>{let e=n.get("_doc");if(e)for(let t of a())f(t,{navviz:"doc",doc:e})},m=(e,t)=>{let s=b(t);if(!(!s||!r.has(e))){r.set(e,JSON.stringify(
s)),g=!0;for(let[y,S]of Object.entries(s))n.set(y,S);g=!1,l(),n.save_changes()}},h=e=>{let t=i.navvizWidgetPlotly??i.navvizPlotly;t?f(e,{navviz:"plotly",packed:t}):
n.send({navviz:"plotly?"})},w=({source:e,data:t})=>{let s=a().find(y=>y.contentWindow===e);!s||typeof t!="object"||t===null||(t.navviz==="ready"&&(r.set(s,""),l(),
u()),t.navviz==="state"&&m(s,t),t.navviz==="plotly?"&&h(s),t.navviz==="episode"&&["next","previous"].includes(t.to)&&n.send({navviz:t.to}))},d=e=>{if(!(e?.navviz!==
"plotly"||typeof e.packed!="string")){i.navvizWidgetPlotly=e.packed;for(let t of a())h(t)}};window.addEventListener("message",w);for(let e of z)n.on(`change:${e}`,
l);n.on("change:_page",p),n.on("change:_doc",u),n.on("msg:custom",d),c&&(o.append(c),n.get("_page")?p():n.send({navviz:"page?"}));for(let e of a())f(e,{navviz:"\
hello"});return()=>{window.removeEventListener("message",w);for(let e of z)n.off(`change:${e}`,l);n.off("change:_page",p),n.off("change:_doc",u),n.off("msg:cust\
om",d),c?.remove()}}var E={render:k};export{E as default};
