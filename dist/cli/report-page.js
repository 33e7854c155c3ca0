const ve="report-page",ye=["report-page"],we={m77b224:((be,ct,f)=>{f.d(ct,{reportPage:()=>ue});var ut=f("mf203b1"),A=f("m20624b"),H=f("m0b5f83"),c=f("mef5322"),j=f("maffb16"),$=f("m962097"),M=f("m4c721d"),k=f("m7358cf"),y=f("mc2cfc0"),N=f("maf4b51"),R=f("md3f2d5");class w{text;constructor(e){this.text=e}}function T(t){return(0,$.wh)(t).replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#39;")}function P(t){return t==null||t===!1?"":t instanceof w?t.text:typeof t=="string"?T(t):typeof t=="number"?String(t):t.map(P).join("")}function s(t,...e){return new w(t.map((n,o)=>n+P(e[o])).join(""))}function x(t,e="",n){return[`i${t}`,...e===""?[]:[e],...n===void 0?[]:[n]].join("-")}const mt={good:["✓","passed"],bad:["✗","failed"],open:["–","not proved"]};function D(t){const[e,n]=mt[t];return s`<span class="mark ${t}" aria-hidden="true">${e}</span><span class="hidden">${n}:</span> `}function L(t,e,n,o="fold"){return s`<details class="${o}">
    <summary>${e}</summary>
    <div id="${t}" class="folded">${n}</div>
  </details>`}function W(t,e){return s`<pre tabindex="0" role="region" aria-label="${e}">${t}</pre>`}function B(t,e,n){return s`<div class="copyable">
    ${new w(`<pre id="${t}" tabindex="0" role="region" aria-label="${T(n)}">${T(e)}</pre>`)}<button
      type="button"
      data-copy="${t}"
      hidden
    >
      Copy<span class="hidden"> ${n}</span>
    </button>
  </div>`}const ft="http://www.w3.org/2000/svg",pt=new Set(["aria-label","aria-description","style"]);class ht{#t;constructor(e){this.#t=e}get text(){return T(this.#t)}}class O{namespaceURI=ft;localName;ownerDocument;childNodes=[];#t=new Map;constructor(e,n){this.localName=e,this.ownerDocument=n}setAttribute(e,n){this.#t.set(e,String(n))}removeAttribute(e){this.#t.delete(e)}appendChild(e){return this.childNodes.push(e),e}insertBefore(e){return this.appendChild(e)}set textContent(e){this.childNodes.splice(0,1/0,new ht(String(e)))}get text(){if(this.localName==="style")return"";const n=[...this.#t].filter(([o])=>!pt.has(o)).map(([o,r])=>` ${o}="${T(r)}"`).join("");return`<${this.localName}${n}>${this.childNodes.map(({text:o})=>o).join("")}</${this.localName}>`}}class gt{documentElement=new O("html",this);createElementNS(e,n){return new O(n,this)}}function $t(t,e){const n=[t(new gt)].filter(o=>o instanceof O);for(const o of n)for(const[r,a]of Object.entries(e))o.setAttribute(r,a);return new w(n.map(({text:o})=>o).join(""))}const F=150,G=6e4;function bt(t){const e=t.checks.reduce((n,{durationMs:o})=>n+o,0);return{iteration:t.iteration,failing:t.failing,tokens:t.usage===null?null:(0,R.RP)(t.usage),cost:t.cost,time:(t.turn_ms+e)/G,added:t.change?.added??null,removed:t.change?.removed??null}}function vt(t){const e=Math.ceil(t.length/F);return t.flatMap((n,o)=>{if(o%e!==0)return[];const r=t.slice(o,o+e),a=i=>J(r.map(i));return{from:n.iteration,to:r.reduce((i,{iteration:l})=>l,n.iteration),failing:r.reduce((i,{failing:l})=>l??i,null),tokens:a(({tokens:i})=>i),cost:a(({cost:i})=>i),time:r.reduce((i,{time:l})=>i+l,0),added:a(({added:i})=>i),removed:a(({removed:i})=>i)}})}function J(t){return t.reduce((e,n)=>n===null?e:n+(e??0),null)}const yt="–",S=(t,e)=>t===null?yt:e(t),U=t=>(0,c.p0)(Math.round(t*G)),wt=[{id:"chart-failing",name:"Failing tests after each iteration",unit:"failing tests",shape:"line",sentence:t=>{const e=t.flatMap(({failing:n})=>n===null?[]:[n]);return`From ${e[0]} after the first count to ${e.at(-1)} after the last; at most ${Math.max(...e)}.`},columns:[["Failing tests",({failing:t})=>S(t,c.zD)]],values:[({failing:t})=>t]},{id:"chart-time",name:"Time of each iteration",unit:"minutes",shape:"bars",sentence:t=>`${V(t,({time:e})=>e,U)}, turn and checks together.`,columns:[["Time",({time:t})=>U(t)]],values:[({time:t})=>t]},{id:"chart-tokens",name:"Tokens and cost of each iteration",unit:"tokens",shape:"bars",sentence:t=>`${V(t,({tokens:e})=>e,e=>(0,c.hS)(e,"token"))}.`,columns:[["Tokens",({tokens:t})=>S(t,c.zD)],["Cost",({cost:t})=>S(t,c.dR)]],values:[({tokens:t})=>t]},{id:"chart-lines",name:"Lines changed in each iteration",unit:"lines added ↑ removed ↓",shape:"bars",sentence:t=>`${(0,c.zD)(K(t,({added:e})=>e))} lines added and ${(0,c.zD)(K(t,({removed:e})=>e))} removed over all iterations shown; what was removed is below the line.`,columns:[["Added",({added:t})=>S(t,c.zD)],["Removed",({removed:t})=>S(t,c.zD)]],values:[({added:t})=>t,({removed:t})=>t===null?null:-t]}];function K(t,e){return Number(J(t.map(e)))}function V(t,e,n){const o=Math.max(...t.map(a=>Number(e(a))));return t.filter(a=>Number(e(a))===o).slice(0,1).map(a=>`Most in ${xt(a)}: ${n(o)}`).join("")}function xt({from:t,to:e}){return t===e?`iteration ${t}`:`iterations ${t} to ${e}`}function kt(t){const e=vt(t.map(bt)),n=wt.filter(({values:o})=>e.some(r=>o.some(a=>Number(a(r))!==0)));return t.length<2||n.length===0?s`<p>There is too little to draw yet.</p>`:s`${n.map(o=>Nt(o,e,t.length))}`}function Nt(t,e,n){const{id:o,name:r,sentence:a,columns:i}=t,l=Math.ceil(n/F),m=l>1?` Each ${t.shape==="line"?"point":"bar"} stands for ${l} iterations in a row.`:"";return s`<figure class="chart" aria-labelledby="${o}">
    <figcaption>
      <h3 id="${o}">${r}</h3>
      <p id="${o}-says">${a(e)}${m}</p>
    </figcaption>
    <div class="wide" tabindex="0" role="region" aria-label="${r}, drawn">${Et(t,e)}</div>
    <details>
      <summary>Table<span class="hidden">: ${r}</span></summary>
      <div class="wide" tabindex="0" role="region" aria-label="${r}, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              ${i.map(([d])=>s`<th scope="col">${d}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${e.map(d=>s`<tr>
                  <th scope="row">${d.from===d.to?d.from:`${d.from} to ${d.to}`}</th>
                  ${i.map(([,u])=>s`<td>${u(d)}</td>`)}
                </tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`}const Tt=10;function St(t){const e=Math.ceil(t.length/Tt);return t.flatMap(({from:n},o)=>o%e===0?[n]:[])}const It={width:640,height:180,marginLeft:56,marginTop:24};function Et({id:t,unit:e,values:n,shape:o},r){const a=({from:d,to:u})=>(d+u)/2,i=n.flatMap((d,u)=>{const h=r.filter(p=>d(p)!==null),b={className:u===0?"series":"series other"};return o==="line"?[(0,N.Mu)(h,{x:a,y:d,...b}),(0,N.Om)(h,{x:a,y:d,r:3,fill:"currentColor",...b})]:(0,N.aT)(h,{x1:({from:p})=>p-.5,x2:({to:p})=>p+.5,y:d,inset:.5,...b})}),l={label:"iteration",ticks:St(r),tickFormat:String},m={label:e,grid:!0,zero:!0};return $t(d=>(0,N.QI)({...It,document:d,x:l,y:m,marks:[(0,N.OJ)([0]),...i]}),{role:"img","aria-labelledby":`${t} ${t}-says`,class:"plot"})}var Ct=f("mf7f4e2"),Ht=f("md2c297"),Q=f("mc59343"),Mt=f("me34b18"),X=f("m382078"),Dt=f("mc8d4c3"),Lt=f("m2646c1");const Ot=1e7,zt=200,At={checks:[],cost:null,failing:null};async function jt(t,e=Ot){const n=new Map,o=Pt(n,e),r=[];let a=[],i=null,l;const m=u=>{l=u,u.type==="turn_started"&&(a=[]);const{open:h,closed:b}=(0,Lt.X)(i,u);i=h;for(const g of[b,h]){if(g===null)continue;const I=n.get(g.iteration),v=I===void 0||u.type==="turn_started"&&g===h;n.set(g.iteration,v?{...At,told:I?.told??[],meta:g}:{...I,meta:g})}const p=n.get((h??b)?.iteration??0);p!==void 0&&(u.type==="turn_ended"&&(p.cost=u.cost??null),u.type==="proved"&&(p.checks=u.verdict.checks,p.failing=u.failing?.failing_count??(u.verdict.result==="passed"?0:null),o(p)))};for await(const{iteration:u,lines:h}of(0,Dt.W)(Rt(t,m))){const b=h.map(v=>({...v,text:v.text.trim()})).filter(({text:v})=>v!=="");l?.type==="loop_stopped"&&(a=b);const p=l?.type==="turn_ended"?l.iteration:u,g=n.get(p)?.told??r,I=b.filter(({text:v})=>!/^Iteration \d+, /u.test(v));g.push(...I.slice(0,Math.max(0,zt-g.length)))}return{iterations:[...n.values()].map(({meta:u,...h})=>({...u,...h})),before:r,ending:a}}async function*Rt(t,e){for await(const n of t)e(n),yield n}function Pt(t,e){let n=0;return o=>{n+=Y(o);for(const r of t.values()){if(n<=e||r===o)return;n-=Y(r),r.checks=r.checks.map(a=>({...a,tail:""}))}}}function Y({checks:t}){return t.reduce((e,{tail:n})=>e+n.length,0)}function Wt({exitCode:t,timedOut:e}){return t===0&&!e}function Bt(t){const e=t.timedOut?"timed out":t.exitCode===null?"did not end":`exit ${t.exitCode}`,n=t.tests===null||t.tests.failed===0?[]:[`${(0,c.hS)(t.tests.failed,"test")} failed`];return`${(0,$.TN)((0,H.v8)(t))}: ${[e,(0,c.p0)(t.durationMs),...n].join(", ")}`}function Z(t){const{agent:e,change:n,failing:o,checks:r,verdict:a,usage:i,cost:l}=t,m=t.turn_ms+r.reduce((d,{durationMs:u})=>d+u,0);return[...e===null?["its turn has not ended"]:e==="ok"?[]:[`turn: ${e.replaceAll("_"," ")}`],Ft[a],...o===null||o===0?[]:[`${(0,c.hS)(o,"test")} failing`],...n===null?[]:[`${(0,c.hS)(n.files,"file")} +${n.added} −${n.removed}`],...m===0?[]:[(0,c.p0)(m)],...i===null?[]:[(0,c.hS)((0,R.RP)(i),"token")],...l===null?[]:[(0,c.dR)(l)]].join(" · ")}const Ft={passed:"checks passed",failed:"checks failed",cut_off:"checks cut off",unrunnable:"a check could not run",none:"not checked"};function q({verdict:t,agent:e}){return t==="passed"?"good":t==="none"&&(e==="ok"||e===null||e==="abandoned")?"open":"bad"}function Gt(t,{ending:e},n){return s`${Jt(t)}${Kt(t)}
    <section aria-labelledby="next">
      <h2 id="next">What you have to do</h2>
      ${Vt(t)}
    </section>
    <section aria-labelledby="rule">
      <h2 id="rule">What stopped it</h2>
      ${Yt(t,e)}
    </section>
    <section aria-labelledby="tests">
      <h2 id="tests">Failing tests</h2>
      ${Zt(t)}
    </section>
    <section aria-labelledby="files">
      <h2 id="files">Files changed</h2>
      ${te(t)}
    </section>
    <section aria-labelledby="took">
      <h2 id="took">Time, tokens, cost</h2>
      ${ee(t)}
    </section>
    <section aria-labelledby="strip">
      <h2 id="strip">Iterations at a glance</h2>
      ${ne(n)}
    </section>`}function Jt({protection:t}){const e=(0,Mt.o)(t);return s`${e.length>0&&s`<aside class="danger" aria-label="Warning">
      <p>Warning: run this only where nothing is of value.</p>
      ${E(e)}
    </aside>`}`}function E(t){return s`<ul>
    ${t.map(e=>s`<li>${e}</li>`)}
  </ul>`}const Ut={good:"good",bad:"bad",warn:"warn"};function Kt(t){const{state:e}=t,{text:n,tone:o}=(0,j.WJ)(t),r=(0,M.Yw)(e),a=e.iterations.findLast(m=>m.commit!==null)?.commit??null,i=[["Command",r===null||r.checks.length===0?"none":r.checks.map((m,d)=>s`${d>0&&", "}<code>${(0,$.TN)((0,H.v8)(m))}</code>`)],["Commit",a===null?"none":s`<code>${a.slice(0,12)}</code>`],["Iteration",`${(0,c.zD)(e.iteration)} of ${(0,c.zD)(e.max_iterations)}`],...t.branch===null?[]:[["Branch",s`<code>${(0,$.TN)(t.branch)}</code>`]]],l=(0,X.OD)(t);return s`<section aria-labelledby="verdict" class="verdict ${o in Ut?o:"plain"}">
    <h1 id="verdict">${n}</h1>
    <dl class="facts">
      ${i.map(([m,d])=>s`<div>
            <dt>${m}</dt>
            <dd>${d}</dd>
          </div>`)}
    </dl>
    ${l.length>0&&E(l.map(m=>m.text))}
  </section>`}function Vt(t){const e=(0,k.sk)(t),n=Xt(t,e),o=(0,k.z6)(t.state)?.outcome.resumableBy==="nobody";return s`<p>${o&&s`<strong>Nothing</strong> to start or to answer. `}${e}</p>
    ${n!==void 0&&B("resume",n,"the command")}`}const Qt=/^(?:(?:waylon-)?smithers|daedalus) /u;function Xt({resume:t},e){return Qt.test(t)&&e.includes(t)?t:/\/smithers prd [\w.-]+ (?:retry|accept) US-[\d-]+/u.exec(e)?.[0]}function Yt(t,e){if((0,k.z6)(t.state)===void 0)return s`<p>
      ${t.alive?"Nothing: it is running.":"No rule: its run was killed, or an error ended it."}
    </p>`;const n=e.length===0?[(0,k.O4)(t)]:e.map(({text:o})=>o);return E(n)}const C=10;function Zt({state:t}){const{baseline:e,failing:n}=t,{failing:o}=(0,M.oX)(t),r=n??(o===null?{failing:[],failing_count:0}:null);return s`<div class="pair">
    <div>
      <h3>At the start</h3>
      ${_(e)}
    </div>
    <div>
      <h3>Now</h3>
      ${_(r)}
    </div>
  </div>`}function _(t){if(t===null)return s`<p>Not known.</p>`;const{failing:e,failing_count:n}=t;if(n===0)return s`<p>None.</p>`;const o=e.map(a=>s`<li><code>${(0,$.Jj)((0,$.TN)(a),300)}</code></li>`),r=n-e.length;return s`<p>${(0,c.hS)(n,"test")}</p>
    <ul>
      ${o.slice(0,C)}
    </ul>
    ${o.length>C&&s`<details>
        <summary>${o.length-C} more</summary>
        <ul>
          ${o.slice(C)}
        </ul>
      </details>`}${r>0&&s`<p>${(0,c.hS)(r,"more test")} without a name here.</p>`}`}const qt=/^(?<path>.*) \| (?<counts>.*)$/u;function _t({stat:t}){return t.split(`
`).flatMap(n=>{const{path:o,counts:r}=qt.exec(n)?.groups??{};return o===void 0||r===void 0?[]:[{path:o,counts:r.replace("-","−"),kind:(0,Ct.t7)(o)?"CI":(0,Ht.MQ)(o)?"test":""}]}).toSorted((n,o)=>+(n.kind==="")-+(o.kind===""))}function te({change:t}){if(t===null)return s`<p>Not known: nothing is measured here, or the loop's files were cleaned away.</p>`;if(t.files===0)return s`<p>None.</p>`;const e=_t(t),n=t.files-e.length,o=e.some(({kind:r})=>r!=="");return s`<p>
      ${(0,c.hS)(t.files,"file")}, <span class="plus">+${(0,c.zD)(t.added)}</span>
      <span class="minus">−${(0,c.zD)(t.removed)}</span>
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="Changed files">
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            ${o&&s`<th scope="col">Kind</th>`}
            <th scope="col">Lines</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({path:r,kind:a,counts:i})=>s`<tr>
                <td><code>${(0,$.TN)(r)}</code></td>
                ${o&&s`<td>${a}</td>`}
                <td>${(0,$.TN)(i)}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${n>0&&s`<p>${(0,c.hS)(n,"more file")}.</p>`}`}function ee(t){const{state:e}=t,{spent:n}=e,o=e.status==="completed"||e.status==="canceled"?void 0:(0,Q.xn)(e),r=[["Time",(0,c.p0)(n.turn_ms+n.check_ms)],["Tokens",(0,c.zD)(n.tokens)],["Cost",(0,Q.vQ)(e)??"–"],...o===void 0?[]:[["Still needed",`${o} at this pace`]]];return s`<dl class="facts">
      ${r.map(([a,i])=>s`<div>
            <dt>${a}</dt>
            <dd>${i}</dd>
          </div>`)}
    </dl>
    <details>
      <summary>In detail</summary>
      ${E((0,X.Sd)(t))}
    </details>`}function ne(t){return t.length===0?s`<p>No iteration has begun.</p>`:s`<ol class="strip">
      ${t.map(e=>s`<li>
            <a href="#${x(e.iteration)}" title="${Z(e)}"
              >${D(q(e))}<span class="hidden">iteration </span>${e.iteration}</a
            >
          </li>`)}
    </ol>
    <p class="legend">✓ checks passed · ✗ failed · – not checked</p>`}function tt(t,e){const{iteration:n,item:o}=t;return s`<details class="iteration searched">
    <summary>
      ${D(q(t))}<strong>Iteration ${n}</strong> · ${(0,$.Jj)((0,$.TN)(o),120)} ·
      ${Z(t)}
    </summary>
    <div id="${x(n)}" class="folded">${e}</div>
  </details>`}function oe(t,e,n){const{iteration:o,commit:r,checks:a,told:i,started_at:l}=t,{prompt:m,changes:d,message:u}=e,h=m===null&&d===null&&e.checks===null,b=x(o);return s`<p class="dim">
      Began ${l}${r!==null&&s`, commit <code>${r.slice(0,12)}</code>`} ·
      <a href="#${b}">#${b}</a>
    </p>
    <ul>
      ${i.map(({text:p})=>s`<li>${(0,$.Jj)(p,se)}</li>`)}
    </ul>
    ${a.map((p,g)=>ae(o,p,g+1))}
    ${n&&h&&re} ${z(o,"output","All that the checks said",e.checks)}
    ${n&&[le(o,d),z(o,"prompt","Prompt",m),z(o,"message","Last message of the agent",u)]}`}const re=s`<p class="note">
  Its prompt, its diff and all that its checks said are not kept: only those of the last 50 iterations are.
</p>`,se=1e3;function ae(t,e,n){const o=(0,$.TN)((0,A.T9)(e)),r=`end of the output of check ${n} of iteration ${t}`,a=e.tail.trim()===""?s`<p>No output is kept here.</p>`:W(e.tail,r);return L(x(t,"check",n),s`${D(Wt(e)?"good":"bad")}${Bt(e)}`,s`${o!==""&&s`<p>${o}</p>`}${a}`)}function z(t,e,n,o){if(o===null||o.text==="")return null;const r=`${n}, iteration ${t}`;return L(x(t,e),n,s`${et(o)}${W(o.text,r)}`)}function et({leftOut:t,part:e}){return t===0?null:s`<p class="note">
        Only its ${e} is shown: ${(0,c.zD)(t)} bytes are left out here, and in the loop's folder.
      </p>`}const ie=[[/^(?:diff |index |--- |\+\+\+ |\[cut: )/u,"head"],[/^@@/u,"at"],[/^\+/u,"add"],[/^-/u,"cut"]];function le(t,e){if(e===null||e.text==="")return null;const n=e.text.split(`
`).map(r=>{const a=ie.find(([i])=>i.test(r))?.[1];return[a===void 0?r:s`<span class="${a}">${r}</span>`,`
`]}),o=s`<pre class="diff" tabindex="0" role="region" aria-label="Changes, iteration ${t}">${n}</pre>`;return L(x(t,"changes"),"Changes",s`${et(e)}${o}`)}const nt=String.raw`"use strict";
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const reveal = (hash) => {
    let at = document.getElementById(hash.slice(1));
    if (at === null) return;
    const target = at;
    for (; at !== null; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
      at.hidden = false;
    }
    target.scrollIntoView();
  };
  const follow = () => reveal(location.hash);
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link !== null) reveal(link.hash);
  });
  follow();

  const copy = async (text, source) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      getSelection().selectAllChildren(source);
      return document.execCommand("copy");
    }
  };
  for (const button of all("button[data-copy]")) {
    button.hidden = false;
    const words = [...button.childNodes];
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const done = await copy(source.textContent, source);
      button.textContent = done ? "Copied" : "Selected: copy it by keyboard";
      setTimeout(() => { button.replaceChildren(...words); }, 2000);
    });
  }

  const form = document.getElementById("search");
  const field = document.getElementById("search-for");
  const found = document.getElementById("search-found");
  const rows = all(".searched");
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  let waiting;
  const search = () => {
    const words = field.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      const hit = words === "" || textOf(row).includes(words);
      row.hidden = !hit;
      if (hit) count += 1;
    }
    found.textContent = words === "" ? "" : count + " of " + rows.length + (rows.length === 1 ? " entry" : " entries");
  };
  form.hidden = false;
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
    const first = rows.find((row) => !row.hidden);
    if (field.value.trim() === "" || first === undefined) return;
    if (first.tagName === "DETAILS") first.open = true;
    first.scrollIntoView();
  });
})();
`,ot=`
:root { color-scheme: light dark; --ground: #fff; --panel: #f4f5f7; --text: #1b1f24; --dim: #57606a; --line: #8c959f;
  --good: #116329; --bad: #a40e26; --warn: #7a4b00; --link: #0550ae; --mark-ground: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1117; --panel: #161b22; --text: #e6edf3; --dim: #9da7b3; --line: #6e7681;
    --good: #56d364; --bad: #ff8a80; --warn: #e3b341; --link: #79c0ff; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; line-height: 1.4; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p, ul, ol { margin: .5rem 0; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .375rem; margin: .5rem 0; padding: .75rem;
  max-height: 30rem; overflow: auto; white-space: pre-wrap; }
.verdict { background: var(--panel); border-left: .375rem solid var(--line); padding: 1rem; }
.verdict.good { border-color: var(--good); }
.verdict.warn { border-color: var(--warn); }
.verdict.bad { border-color: var(--bad); }
.danger { border: .25rem double var(--bad); padding: 0 1rem; margin-bottom: 1rem; }
.facts { display: grid; gap: .25rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); margin: .5rem 0; }
.facts dt, .legend, .dim, .note { color: var(--dim); } .facts dd { margin: 0; }
.pair { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); }
.copyable { position: relative; } .copyable pre { padding-bottom: 3.25rem; }
button { font: inherit; min-height: 2rem; padding: .25rem .75rem; color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: .375rem; }
.copyable button { position: absolute; right: .5rem; bottom: .5rem; }
input { font: inherit; width: 100%; min-height: 2.5rem; padding: .25rem .5rem; color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: .375rem; }
:focus-visible { outline: .1875rem solid var(--link); outline-offset: .125rem; }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; } th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0;
  text-align: left; vertical-align: top; } td code { white-space: pre-wrap; }
.strip { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; padding: 0; }
.strip a { display: inline-block; min-width: 2.5rem; padding: .25rem; text-align: center; text-decoration: none;
  border: 1px solid var(--line); border-radius: .25rem; background: var(--panel); color: var(--text); }
.mark { font-weight: bold; } .mark.good, .plus { color: var(--good); } .mark.bad, .minus { color: var(--bad); }
.mark.open { color: var(--dim); } .strip .mark { margin-right: .25rem; }
details { margin: .25rem 0; } summary { cursor: pointer; min-height: 1.75rem; padding: .125rem 0; }
.iteration { border: 1px solid var(--line); border-radius: .375rem; padding: .25rem .75rem; content-visibility: auto;
  contain-intrinsic-size: auto 2.5rem; }
.iteration[open] { contain-intrinsic-size: auto 20rem; }
.fold { margin-left: .5rem; } .folded { scroll-margin-top: 4rem; }
.folded:target { outline: .125rem solid var(--link); outline-offset: .25rem; }
.diff .add { color: var(--good); }
.diff .cut { color: var(--bad); }
.diff .head { font-weight: bold; }
.diff .at { color: var(--dim); }
.chart { margin: 1.5rem 0; } .chart .wide { margin: .5rem 0; }
.plot { display: block; height: auto; width: 100%; min-width: 30rem; color: var(--text); background: var(--ground); }
.plot text { white-space: pre; fill: var(--text); }
.plot .series { fill: var(--link); } .plot .series path { fill: none; stroke: var(--link); stroke-width: 2; }
.plot .series.other { fill: var(--dim); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:not(:focus) { position: absolute; left: -100rem; }
footer { margin-top: 3rem; color: var(--dim); border-top: 1px solid var(--line); }
@media (forced-colors: active) { .strip a, .iteration, pre { border-color: CanvasText; } .plot .series { fill: LinkText; } }
@media print { .copyable button, #search { display: none; } pre { max-height: none; } }
`,de=1e7,rt=2e3,ce=500;async function ue(t,e=de){const{view:n,withTexts:o}=t,r=await jt(t.events),a=r.iterations.slice(-rt),l={top:Gt(n,r,a),charts:kt(a),agent:fe(t,r),stories:pe(n)},m=a.map(g=>tt(g,st)),d=at(dt(n,l,[it(r),...m],o)),u=await me(t,a,e-d),h=a.map(g=>tt(g,u.get(g.iteration)??st)),b=r.iterations.length-a.length,p=b>0&&s`<p>
      ${(0,c.hS)(b,"earlier iteration")} are not on this page: it shows the last ${(0,c.zD)(rt)}.
    </p>`;return dt(n,l,[s`${p}`,it(r),...h],o)}const st=s`<p class="note">
  What this iteration wrote is left out, because the page would be too long. It is in the loop's folder.
</p>`;async function me({textsOf:t,withTexts:e},n,o){const r=new Map;let a=o;for(const i of n.toReversed()){const l=oe(i,await t(i.iteration),e);if(a-=at(l.text),a<0)break;r.set(i.iteration,l)}return r}function at(t){return Buffer.byteLength(t)}function it({before:t}){const e=t.slice(0,100);return e.length===0?s``:s`<details class="iteration searched">
    <summary>Before the first iteration</summary>
    <div id="i0" class="folded">
      <ul>
        ${e.map(({text:n})=>s`<li>${(0,$.Jj)(n,1e3)}</li>`)}
      </ul>
    </div>
  </details>`}function fe({view:t,withTexts:e},n){const{state:o}=t,{failing:r}=(0,M.oX)(o),a=o.failing?.failing??[],i=[e?`Task:
${o.prompt.trim()}`:"",`State:
${(0,j.WJ)(t).text}`,a.length===0?"":`Failing tests:
${a.map(l=>`- ${(0,$.TN)(l)}`).join(`
`)}`,r===null?"":`Last output of ${(0,$.TN)((0,H.v8)(r))}:
${r.tail.trim()||(0,A.UN)(r)}`,`Decision:
${[...n.ending.map(({text:l})=>l),`next: ${(0,k.sk)(t)}`].join(`
`)}`];return B("for-an-agent",i.filter(l=>l!=="").join(`

`),"for an agent")}function pe({state:t,prd:e}){const n=(0,y.u2)(t,e);if(n===null)return null;const o=(0,y.gR)(n),{rows:r,rest:a}=(0,y.NB)(n.stories,ce);return s`<p>${(0,y.Wl)(n)}.${o!==void 0&&` At work on ${o}.`}</p>
    <ul>
      ${r.map(i=>s`<li class="searched" id="${i.id}">
            <span aria-hidden="true">${y.t5[i.status]}</span> <strong>${i.id}</strong> ${(0,y._Q)(i)}:
            ${(0,y.sV)(i)}${i.commit!==null&&s`, <code>${i.commit.slice(0,12)}</code>`}
          </li>`)}
    </ul>
    ${a!==""&&s`<p>${a}.</p>`}`}function lt(t){return`'sha256-${(0,ut.createHash)("sha256").update(t).digest("base64")}'`}function he(){return["default-src 'none'",`script-src ${lt(nt)}`,`style-src ${lt(ot)}`,"img-src data:","base-uri 'none'","form-action 'none'"].join("; ")}const ge=s`<p class="note">
  Prompts, messages of the agent and diffs are left out of this page, because its readers may not be those who may see
  them.
</p>`;function dt(t,e,n,o){const{loop_id:r,generation:a,updated_at:i,iteration:l}=t.state,m=l===0?"None has begun.":"The events of this loop are gone, so they are not known.",d=n.every(({text:u})=>u==="")?s`<p>${m}</p>`:s`${n}`;return s`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${new w(`<meta http-equiv="Content-Security-Policy" content="${he()}">`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>Loop ${r}</title>
        ${new w(`<style>${ot}</style>`)}
      </head>
      <body>
        <a class="skip" href="#iterations">To the iterations</a>
        <main>${e.top} ${o?null:ge} ${$e(e,d)}</main>
        <footer>
          <p>
            Loop ${r}, generation ${a}, as of ${i}. Made by smithers; nothing on this page is loaded or sent.
          </p>
        </footer>
        ${new w(`<script>${nt}<\/script>`)}
      </body>
    </html> `.text}function $e({charts:t,agent:e,stories:n},o){const r=(i,l,m)=>s`<section aria-labelledby="${i}">
      <h2 id="${i}">${l}</h2>
      ${m}
    </section>`,a=s`<details>
    <summary>Task, failing tests, last output and decision, as one text</summary>
    ${e}
  </details>`;return s`${r("agent","Copy for an agent",a)} ${r("charts","Charts",t)}
    <form id="search" role="search" hidden>
      <label for="search-for">Search iterations${n!==null&&" and stories"}</label>
      <input id="search-for" type="search" autocomplete="off" />
      <p id="search-found" role="status" class="dim"></p>
    </form>
    ${r("iterations","Iterations",o)}
    ${n!==null&&r("stories","Stories",n)}`}})};export{ve as id,ye as ids,we as modules};
//# sourceMappingURL=report-page.js.map
