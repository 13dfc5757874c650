// The right-hand pane: what the agent was told, planned, decided, thought, was asked and answered, in the step shown.

const STATUS = {
  TODO: ["todo", "to do"],
  IN_PROGRESS: ["doing", "in progress"],
  COMPLETED: ["done", "completed"],
};

/** Draws the pane of one player. Only the open tab is drawn, so that a step costs one frame. */
class Pane {
  constructor(player, box) {
    this.player = player;
    this.folds = new Map();
    this.tab = player.options.tab ?? "thoughts";
    this.top = el("div", { class: "nv-pane-top" });
    this.tabs = el("div", { class: "nv-tabs", role: "tablist" });
    this.body = el("div", { class: "nv-tab-body", role: "tabpanel", tabindex: -1 });
    box.append(this.top, this.tabs, this.body);
  }

  get doc() { return this.player.doc; }
  get linker() { return this.player.linker; }
  text(index) { return this.player.strings[index] ?? ""; }

  show(step) {
    const { doc } = this;
    const before = step === null;
    const entry = before ? doc.planning : step;
    const stick = this.body.scrollHeight - this.body.scrollTop - this.body.clientHeight < 30 && doc.running;
    this.top.replaceChildren(...[this.instruction(), this.plan(step), before ? this.hint() : this.decision(step)].filter(Boolean));
    const tabs = this.tabList(entry, before);
    const wanted = tabs.find((tab) => tab.key === this.tab) ?? tabs[0];
    const open = wanted.empty && !this.chosen ? tabs.find((tab) => !tab.empty) ?? wanted : wanted;
    this.tabs.replaceChildren(...tabs.map((tab) => this.tabButton(tab, tab === open)));
    const changed = this.shown !== open.key, read = this.body.scrollTop;
    this.shown = open.key;
    this.body.replaceChildren(open.draw());
    if (stick && !changed) this.body.scrollTop = this.body.scrollHeight;
    else this.body.scrollTop = !changed && (open.key === "prompt" || doc.running) ? read : 0;  // prompts are read side by side
  }

  // --- top: instruction, plan, decision

  instruction() {
    return el("section", { class: "nv-instruction" }, el("h3", { text: "Instruction" }),
      el("p", {}, this.linker.linked(this.doc.episode.instruction || "This episode has no instruction.")));
  }

  plan(step) {
    const plan = (step === null ? this.doc.planning.sub_goals : step.plan ?? this.doc.planning.sub_goals) ?? [];
    const tasks = this.doc.episode.tasks ?? [];
    if (!plan.length && !tasks.length) return null;
    const current = step?.sub_goal;
    const items = plan.length ? plan : tasks.map((task) => [task.description, "TODO", null]);
    const list = el("ol", { class: "nv-plan" }, items.map(([what, status, iteration], i) => {
      const [name, said] = STATUS[status] ?? STATUS.TODO;
      const text = typeof what === "number" ? this.text(what) : what;
      return el("li", { class: `nv-${name}${i === current ? " nv-current" : ""}`, title: `Sub-goal ${i + 1}: ${said}`, on: { click: () => this.player.toSubGoal(i) } },
        el("span", { class: "nv-state", "aria-label": said }),
        el("span", { class: "nv-what" }, this.linker.linked(text)),
        iteration ? el("span", { class: "nv-try", title: `try ${iteration} of this sub-goal`, text: `try ${iteration}` }) : null);
    }));
    if (current !== undefined && current !== null) queueMicrotask(() => keepInView(list, list.children[current]));
    return el("section", { class: "nv-plan-box" }, el("h3", { text: plan.length ? "Plan" : "Tasks" }), list);
  }

  hint() {
    const { doc } = this;
    const words = doc.steps.length ? "Before the first step. Press → or space." : doc.running ? "The run is starting." : "This run has no steps.";
    return el("section", { class: "nv-decision nv-mute" }, el("p", { text: words }));
  }

  decision(step) {
    const made = step.decision;
    const flags = [];
    if (made && !made.legal) flags.push(el("span", { class: "nv-flag nv-bad", text: "illegal" }));
    if (step.retries) flags.push(el("span", { class: "nv-flag nv-warn", text: step.retries === 1 ? "1 retry" : `${step.retries} retries` }));
    if (made?.stop) flags.push(el("span", { class: "nv-flag", text: "stops" }));
    if (this.doc.divergence?.step === this.player.step) flags.push(el("span", { class: "nv-flag nv-warn", text: "leaves the route" }));
    const where = el("p", { class: "nv-where" }, ...this.move(step));
    return el("section", { class: "nv-decision" }, el("h3", {}, "Decision", flags), where,
      made?.reason ? el("p", { class: "nv-reason" }, this.linker.linked(made.reason)) : null);
  }

  move(step) {
    const here = this.nodeMark(step.node);
    const made = step.decision;
    if (!made) return [this.doc.running && this.player.atEnd ? "deciding at " : step.path?.length ? "walked from " : "at ", here,
      ...(step.path?.length ? [" to ", this.nodeMark(step.path.at(-1))] : [])];
    const parts = [here, el("span", { class: "nv-arrow", text: " → " })];
    parts.push(made.target_id ? this.nodeMark(made.target, made.target_id) : el("span", { class: "nv-mute", text: made.stop ? "stop" : "no place named" }));
    if (made.sub_goal_status) parts.push(el("span", { class: `nv-verdict nv-${STATUS[made.sub_goal_status]?.[0] ?? "todo"}`, text: STATUS[made.sub_goal_status]?.[1] ?? made.sub_goal_status }));
    if (step.path?.length > 1) parts.push(el("span", { class: "nv-mute", text: step.path.length === 2 ? " 1 link" : ` ${step.path.length - 1} links` }));
    return parts;
  }

  nodeMark(node, id) {
    if (node === null || node === undefined) return el("span", { class: "nv-mute", text: "an unknown place (hole in the log)" });
    const name = id ?? (typeof node === "number" ? this.doc.nodes.ids[node] : node);
    if (typeof node === "number") return this.linker.mark(name, `n:${node}`);
    return el("span", { class: "nv-foreign", title: "This id is not in the graph.", text: name });
  }

  // --- tabs

  tabList(entry, before) {
    const calls = entry.calls ?? [];
    const live = this.player.atEnd ? this.doc.streaming ?? {} : {};
    const tabs = [{ key: "thoughts", name: "Thoughts", draw: () => this.thoughts(calls, live) },
      { key: "prompt", name: "Prompt", draw: () => this.prompts(calls) },
      { key: "reply", name: "Reply", draw: () => this.replies(calls, live) }];
    if (!before) tabs.push({ key: "seen", name: "Seen", draw: () => this.observation(entry) });
    (entry.panels ?? []).forEach((panel) => tabs.push({ key: `panel:${panel.title}`, name: panel.title, draw: () => panelView(panel, this.linker, this.doc, this.folds) }));
    const empty = { thoughts: !calls.some((call) => call.thoughts !== undefined) && !live.thoughts, prompt: !calls.length, reply: !calls.length && !live.reply, seen: !entry.observation };
    for (const tab of tabs) tab.empty = empty[tab.key] ?? false;
    return tabs;
  }

  tabButton(tab, open) {
    return el("button", { class: `nv-tab${open ? " nv-open" : ""}${tab.empty ? " nv-empty" : ""}`, role: "tab", type: "button", "aria-selected": String(open), title: tab.name, text: tab.name,
      data: { tab: tab.key }, on: { mousedown: (event) => event.preventDefault(), click: () => { this.tab = tab.key; this.chosen = true; this.player.repaintPane(); } } });
  }

  nothing(text) { return el("p", { class: "nv-nothing", text }); }

  callHead(call, many) {
    const usage = call.usage ?? {};
    const facts = [["prompt", usage.prompt_tokens], ["thoughts", usage.thoughts_tokens], ["reply", usage.output_tokens]];
    return el("div", { class: "nv-call-head" },
      many ? el("b", { text: call.purpose }) : null,
      call.model ? el("span", { text: call.model }) : null,
      el("span", { title: "tokens of prompt, thoughts and reply", text: facts.map(([name, count]) => `${amount(count)} ${name}`).join(" · ") }),
      el("span", { text: call.seconds === undefined ? `time ${DASH}` : duration(call.seconds) }), el("span", { text: call.cost_usd === undefined ? `cost ${DASH}` : money(call.cost_usd) }),
      call.retries ? el("span", { class: "nv-flag nv-warn", text: call.retries === 1 ? "1 retry" : `${call.retries} retries` }) : null,
      call.error ? el("span", { class: "nv-flag nv-bad", text: call.error }) : null,
      call.parse_error ? el("span", { class: "nv-flag nv-bad", text: call.parse_error }) : null);
  }

  each(calls, draw) {
    return el("div", {}, calls.map((call) => el("section", { class: "nv-call" }, this.callHead(call, calls.length > 1 || call.purpose !== "decide"), draw(call))));
  }

  thoughts(calls, live) {
    const box = calls.length ? this.each(calls, (call) => call.thoughts === undefined ? this.nothing("This call has no thoughts.") : markdown(this.text(call.thoughts), this.linker)) : el("div");
    if (live.thoughts) box.append(el("div", { class: "nv-streaming" }, markdown(live.thoughts, this.linker)));
    else if (!calls.length) box.append(this.nothing(this.doc.running && this.player.atEnd ? "Waiting for the model." : "No model was asked in this step."));
    return box;
  }

  prompts(calls) {
    if (!calls.length) return this.nothing("No model was asked in this step.");
    return this.each(calls, (call) => call.messages.length ? el("div", {}, call.messages.map((message) => this.message(message, call.messages.length > 1))) : this.nothing("The log does not hold this prompt."));
  }

  message(message, many) {
    const box = el("div", { class: "nv-message" }, many ? el("div", { class: "nv-role", text: message.role }) : null);
    let target = box;
    for (const [kind, index] of message.parts) {
      const text = this.text(index);
      if (kind === "heading") {
        const title = text.trim();
        const name = title.replace(/^\[(.*)\]$/s, "$1").replace(/^#+\s*/, "");
        target = el("div", { class: "nv-part-body" });
        box.append(fold({ class: "nv-part" }, el("summary", { text: name }), target, this.folds.get(`part.${title}`) ?? true, (now) => this.folds.set(`part.${title}`, now)));
      } else if (kind !== "fence") target.append(this.part(kind, text));
    }
    return box;
  }

  part(kind, text) {
    const parsed = kind === "json" ? parseJson(text) : null;
    if (parsed) return el("div", { class: "nv-json" }, jsonTree(parsed.value, this.linker, this.folds, "prompt"));
    return el("pre", { class: kind === "text" ? "nv-plain" : "nv-code" }, this.linker.linked(text.replace(/\n+$/, "\n").replace(/^\n+/, "")));
  }

  replies(calls, live) {
    const box = calls.length ? this.each(calls, (call) => call.reply === undefined ? this.nothing(call.error ?? "There is no reply.") : this.reply(this.text(call.reply))) : el("div");
    if (live.reply) box.append(el("div", { class: "nv-streaming" }, this.reply(live.reply)));
    else if (!calls.length) box.append(this.nothing("No model was asked in this step."));
    return box;
  }

  reply(text) {
    return el("pre", { class: "nv-code" }, this.linker.linked(text));
  }

  observation(step) {
    const seen = step.observation;
    if (!seen) return this.nothing("The log does not say what the agent was shown.");
    const box = el("div", {}, el("div", { class: "nv-call-head" }, el("span", { text: seen.format }), el("span", { text: `${seen.visible.length} nodes` }), el("span", { text: `${seen.pois.length} landmarks` })));
    if (seen.pois.length) box.append(this.seenPois(seen.pois));
    if (seen.candidates.length) box.append(this.candidates(seen.candidates));
    if (seen.text) box.append(el("h4", { text: step.calls.length ? "As it stood in the prompt" : "In words" }), ...seen.text.filter(([kind]) => kind !== "fence").map(([kind, index]) => this.part(kind, this.text(index))));
    return box;
  }

  seenPois(pois) {
    return el("table", { class: "nv-table" }, el("tbody", {}, pois.map((poi) => el("tr", {},
      el("td", {}, poi.letter ? this.linker.mark(poi.letter, `s:${poi.name.toLowerCase()}`) : ""),
      el("td", {}, this.linker.mark(poi.name, `s:${poi.name.toLowerCase()}`)),
      el("td", { text: poi.position ?? poi.direction ?? "" }),
      el("td", { class: "nv-num", text: poi.distance_m === undefined ? DASH : `${amount(poi.distance_m, 1)} m` })))));
  }

  candidates(candidates) {
    return el("table", { class: "nv-table" }, el("tbody", {}, candidates.map((item) => el("tr", { class: `nv-cand-${item.state}` },
      el("td", {}, el("span", { class: `nv-cand nv-cand-${item.state}`, title: item.state })),
      el("td", {}, this.nodeMark(item.node), item.label ? ` ${item.label}` : ""),
      el("td", { text: item.direction ?? "" }),
      el("td", { class: "nv-num", text: item.score === undefined ? (item.distance_m === undefined ? "" : `${amount(item.distance_m, 1)} m`) : amount(item.score, 3) }),
      el("td", {}, item.reason ? this.linker.linked(item.reason) : "")))));
  }
}

/** Scroll a list so that one of its items shows, without moving the page. */
function keepInView(list, item) {
  if (!item) return;
  const low = item.offsetTop - list.offsetTop, high = low + item.offsetHeight;
  if (low < list.scrollTop) list.scrollTop = low;
  else if (high > list.scrollTop + list.clientHeight) list.scrollTop = high - list.clientHeight;
}
