"use strict";
// What one person labels, as one page. Answers are events as labelling projects have them; they stay in this browser
// until they are downloaded, and `pentimento label merge` takes the file in.
(() => {
  const packet = JSON.parse(document.getElementById("packet").textContent);
  const key = "pentimento-packet-" + packet.id;
  const PAUSE = 600;

  // What was done, and who wrote it down: drawn once for this browser.
  const hex16 = () => [...crypto.getRandomValues(new Uint8Array(8))].map((b) => b.toString(16).padStart(2, "0")).join("");
  let log = { writer: hex16(), events: [] };
  let isKept = true;
  try {
    const kept = localStorage.getItem(key);
    if (kept) log = JSON.parse(kept);
  } catch { isKept = false; }
  const keep = () => {
    try {
      localStorage.setItem(key, JSON.stringify(log));
      isKept = true;
    } catch { isKept = false; }
  };
  keep();

  // Units: an item by a form that is about such items, in the order of the packet.
  const units = packet.items.flatMap((item) =>
    packet.forms.filter((of) => of.form.about === item.kind).map((of) => ({ item, form: of.form, hash: of.hash })));
  // What asks about the person is about no item, comes first, and is answered before anything else is.
  const survey = packet.survey && { item: { id: "", kind: "text", runs: [], candidates: [], truth: null, text: null }, ...packet.survey };
  if (survey) units.unshift(survey);
  const nameOf = (unit) => unit === survey ? "About you"
    : ({ pair: "Pair", step: "Step", task: "Task", query: "Query" }[unit.item.kind] || "Item") + " " + (units.indexOf(unit) + (survey ? 0 : 1));
  const words = (text) => typeof text === "string" ? text
    : text ? text[navigator.language] || text[navigator.language.split("-")[0]] || text.en || Object.values(text)[0] || "" : "";

  // What stands of a unit: the last event that was not taken back.
  const same = (a, b) => a.writer === b.writer && a.sequence === b.sequence;
  const retracted = () => {
    const gone = new Set();
    for (const event of [...log.events].reverse()) {
      if (event.act.retracted && !gone.has(event.id.sequence)) gone.add(event.act.retracted.event.sequence);
    }
    return gone;
  };
  const standing = (unit) => {
    const gone = retracted();
    const of = log.events.filter((event) =>
      event.item === unit.item.id && event.form === unit.hash && !event.act.retracted && !gone.has(event.id.sequence));
    const last = (is) => of.filter(is).at(-1);
    const answer = last((event) => event.act.answered);
    const skip = last((event) => event.act === "skipped");
    const flag = last((event) => event.act.flagged || event.act === "unflagged");
    return {
      answer: answer && answer.act.answered.answer,
      isSkipped: !!skip && (!answer || skip.id.sequence > answer.id.sequence),
      flag: flag && flag.act.flagged ? flag.act.flagged.reason : null,
    };
  };
  const write = (unit, act) => {
    const sequence = log.events.length + 1;
    log.events.push({
      id: { writer: log.writer, sequence }, clock: sequence, at: new Date().toISOString(),
      person: packet.person, item: unit.item.id, form: unit.hash, act,
    });
    keep();
  };
  const canUndo = (event) => !event.act.consented && !event.act.retracted;
  // What is read before the first item: a text to agree to, then examples until something was answered.
  const hasAgreed = () => !packet.consent || log.events.some((event) => event.act.consented && event.act.consented.text === packet.consent.hash);
  let reading = !hasAgreed() ? "consent" : packet.examples && !log.events.some(canUndo) ? "examples" : null, declined = false;
  const goOn = () => {
    if (reading === "consent") {
      write({ item: { id: "" }, hash: packet.no_form }, { consented: { text: packet.consent.hash } });
      reading = packet.examples && !log.events.some(canUndo) ? "examples" : null;
    } else reading = null;
    declined = false; millis = 0;
    show();
  };

  let at = 0, draft = empty(), focus = null, mark = null, step = {}, holds = false, problem = "", going = 0, told = "";
  let changes = 0, millis = 0, isTouched = false;
  const left = new Map();
  function empty() { return { values: {}, evidence: {}, note: "", unsure: false }; }
  const unit = () => units[at];

  const place = (to) => {
    clearTimeout(going); going = 0;
    if (isTouched && unit()) left.set(at, { draft, changes });
    at = survey && !standing(survey).answer ? 0 : Math.max(0, Math.min(units.length, to));
    const begun = left.get(at), known = unit() && standing(unit()).answer;
    left.delete(at);
    draft = begun ? begun.draft : known ? { ...empty(), ...structuredClone(known) } : empty();
    changes = begun ? begun.changes : 0;
    isTouched = !!begun; focus = null; mark = null; step = {}; problem = ""; millis = 0; differenceMillis = 0;
    show();
  };
  const next = () => {
    const state = units.map(standing);
    const open = (from, to, skipped) => {
      for (let i = from; i < to; i++) if (!state[i].answer && state[i].isSkipped === skipped) return i;
      return -1;
    };
    for (const skipped of [false, true]) {
      let found = open(at + 1, units.length, skipped);
      if (found < 0) found = open(0, Math.min(at + 1, units.length), skipped);
      if (found >= 0) return found;
    }
    return units.length;
  };

  // Questions that are asked after these answers.
  const spoken = (value) => {
    if (!value) return [];
    const [kind, of] = Object.entries(value)[0];
    if (kind === "yes_no") return [of ? "yes" : "no"];
    if (kind === "marks") return of.map((one) => one.option);
    return Array.isArray(of) ? of : [String(of)];
  };
  const asks = (form, question) => {
    if (!question.when) return true;
    const other = form.questions.find((it) => it.id === question.when.question);
    return !!other && asks(form, other) && spoken(draft.values[other.id]).some((word) => question.when.is.includes(word));
  };
  const asked = () => unit() ? unit().form.questions.filter((question) => asks(unit().form, question)) : [];
  const focused = () => asked().find((it) => it.id === focus) || asked().find(isMissing) || asked()[0];
  const isMissing = (question) => {
    const value = draft.values[question.id];
    const isGiven = value && spoken(value).length > 0 && spoken(value).join("") !== "";
    if (question.evidence === "required" && isGiven && !(draft.evidence[question.id] || []).length) return true;
    if (question.answer.kind === "ranking" && isGiven) return rankedIds(value).length < optionsOf(question).length;
    return !isGiven && !question.optional && !["marks", "choices"].includes(question.answer.kind);
  };
  const optionsOf = (question) => {
    const own = question.answer.options || [];
    return own.length || question.answer.kind !== "ranking" ? own
      : unit().item.candidates.map((id, i) => ({ id, text: "Candidate " + (i + 1) }));
  };
  // A ranking is a list of places, the best first; what is tied stands in one place, with = between.
  const rankedIds = (value) => value ? value.ranking.flatMap((place) => place.split("=")) : [];
  const rankOf = (value, id) => {
    let before = 0;
    for (const place of value ? value.ranking : []) {
      const tied = place.split("=");
      if (tied.includes(id)) return before + 1;
      before += tied.length;
    }
    return 0;
  };
  const withoutRank = (value, id) => (value ? value.ranking : [])
    .map((place) => place.split("=").filter((it) => it !== id).join("=")).filter(Boolean);
  const putRanking = (question, ranking) => put(question, ranking.length ? { ranking } : null);
  // The last one is tied to the one before it, or stands alone again.
  const tie = (question) => {
    const ranking = ((draft.values[question.id] || {}).ranking || []).slice();
    const last = ranking.pop() || "", cut = last.lastIndexOf("=");
    if (cut > 0) ranking.push(last.slice(0, cut), last.slice(cut + 1));
    else if (ranking.length) ranking.push(ranking.pop() + "=" + last);
    else return;
    putRanking(question, ranking);
    show();
  };
  const put = (question, value) => {
    const known = draft.values[question.id];
    if (known && value && !value.text && JSON.stringify(known) !== JSON.stringify(value)) changes += 1;
    if (value) draft.values[question.id] = value; else delete draft.values[question.id];
    isTouched = true; problem = ""; told = "";
    // What is not asked any more is not answered.
    for (const other of unit().form.questions) {
      if (!asks(unit().form, other)) { delete draft.values[other.id]; delete draft.evidence[other.id]; }
    }
  };
  const choose = (question, option) => {
    const kind = question.answer.kind, known = draft.values[question.id];
    if (kind === "choices") {
      const chosen = new Set(known ? known.choices : []);
      if (!chosen.delete(option)) chosen.add(option);
      put(question, { choices: [...chosen].sort() });
    } else if (kind === "ranking") {
      const others = withoutRank(known, option);
      putRanking(question, rankOf(known, option) ? others : [...others, option]);
    } else if (kind === "marks") {
      const marks = known ? known.marks : [];
      const severity = question.answer.severities ? 1 : undefined;
      marks.push({ option, place: placeNow(0), ...(severity ? { severity } : {}) });
      put(question, { marks });
      mark = marks.length - 1;
    } else {
      const value = { preference: { preference: option }, yes_no: { yes_no: option === "yes" },
        choice: { choice: option }, rating: { rating: Number(option) } }[kind];
      const isAgain = question.optional && JSON.stringify(known) === JSON.stringify(value);
      put(question, isAgain ? null : value);
      // On to the next one that is not answered; marks and lists too, though they may stay empty.
      const isOpen = (it) => isMissing(it) || (!it.optional && !draft.values[it.id]);
      if (!isAgain) focus = (asked().slice(asked().indexOf(question) + 1).find(isOpen) || question).id;
    }
    show();
  };
  const placeNow = (run) => {
    const place = {};
    if (unit().item.runs.length > 1) place.run = run;
    if (isOfSteps()) place.step = stepOf(run);
    return place;
  };

  // Keys that answer the question in focus: [key, option].
  const keysOf = (question) => {
    const { kind, least, most, tie } = question.answer;
    if (kind === "preference") return [["1", "first"], ...(tie === false ? [] : [["2", "tie"]]), ["3", "second"]];
    if (kind === "yes_no") return [["y", "yes"], ["n", "no"]];
    if (kind === "rating") return Array.from({ length: most - least + 1 }, (_, i) => String(least + i)).map((it) => [it, it]);
    const taken = new Set("gucfk" + (question.answer.ties ? "j" : "") + (unit().form.evidence?.difference ? "e" : ""));
    const free = kind === "marks" ? "qwertyasdfzxvb" : "123456789qwertyasdzxvb";
    return optionsOf(question).map((option) => {
      const key = option.key || [...free].find((it) => !taken.has(it)) || "";
      taken.add(key);
      return [key, option.id];
    });
  };

  // What a program says of an item by the form that it answers; it is nobody's answer.
  const proposalOf = (of) => {
    const proposal = of.item.proposal;
    return proposal && Object.keys(proposal.answer.values).every((id) => of.form.questions.some((it) => it.id === id)) ? proposal : null;
  };
  // What is known of an item to learn by, where it fits the form.
  const knownOf = ({ item, form }) => item.known && Object.keys(item.known.values).every((id) => form.questions.some((it) => it.id === id)) ? item.known : null;
  // Whether an answer says all that is known: of several options each is a yes or no of its own.
  const isAsKnown = (of, answer) => Object.entries(knownOf(of).values).every(([id, value]) => {
    const question = of.form.questions.find((it) => it.id === id), mine = spoken(answer.values[id]), known = spoken(value);
    if (["choices", "marks"].includes(question.answer.kind)) {
      return !!answer.values[id] && question.answer.options.every((it) => known.includes(it.id) === mine.includes(it.id));
    }
    return ["text", "ranking"].includes(question.answer.kind) || known.join("|") === mine.join("|");
  });
  const isProposalSeen = (of) => !!proposalOf(of) && (packet.proposals === "before" || (packet.proposals === "after" && !!standing(of).answer));

  const done = () => {
    if (!unit() || going) return going && place(next());
    const missing = asked().find(isMissing);
    if (missing) {
      focus = missing.id;
      problem = (draft.values[missing.id] ? "Show where, or rank all of: " : "Not answered yet: ") + words(missing.text);
      return show();
    }
    if (isTouched || !standing(unit()).answer) {
      const values = {};
      for (const question of asked()) {
        const value = draft.values[question.id];
        if (value && !(value.text === "")) values[question.id] = value;
        else if (!value && question.answer.kind === "marks") values[question.id] = { marks: [] };
        else if (!value && question.answer.kind === "choices") values[question.id] = { choices: [] };
      }
      for (const [id, value] of Object.entries(values)) {
        const isOptional = unit().form.questions.find((it) => it.id === id).optional;
        if (isOptional && !draft.values[id]) delete values[id];
        else values[id] = value;
      }
      const answer = { values };
      if (Object.values(draft.evidence).some((it) => it.length)) answer.evidence = draft.evidence;
      if (draft.note) answer.note = draft.note;
      if (draft.unsure) answer.unsure = true;
      const candidates = unit().item.candidates.map((_, i) => i);
      const proposal = proposalOf(unit());
      const shown = { is_swapped: false, ...(candidates.length ? { candidates } : {}), language: navigator.language.split("-")[0],
        ...(proposal ? { proposal: { when: packet.proposals, said: proposal.answer } } : {}) };
      const isFirst = !standing(unit()).answer;
      countTime();
      write(unit(), { answered: { answer, shown, millis: Math.round(millis), views: viewsNow(), changes } });
      isTouched = false;
      // What a program says is shown now, and can still make somebody change their mind.
      if (knownOf(unit())) {
        told = "Written down.";
        return show();
      }
      if (proposal && packet.proposals === "after" && isFirst) {
        told = "Written down. A program's proposal is shown: change your answer, or keep it by Enter.";
        return show();
      }
    }
    told = "Written down. Backspace takes it back.";
    going = setTimeout(() => { going = 0; place(next()); }, PAUSE);
    show();
  };
  const viewsNow = () => {
    const [all, heated] = [millis, Math.min(differenceMillis, millis)].map(Math.round);
    return { ...(all > heated || !heated ? { "side by side": all - heated } : {}), ...(heated ? { difference: heated } : {}) };
  };
  const back = (isUndo) => {
    const gone = retracted();
    const ordered = [...log.events].reverse();
    const target = isUndo
      ? ordered.find((event) => canUndo(event) && !gone.has(event.id.sequence))
      : (() => {
          // The last taking back that was not taken back, if nothing else was done since.
          const last = ordered.find((event) => !event.act.consented && !gone.has(event.id.sequence) && (!event.act.retracted || !isRedo(event)));
          return last && last.act.retracted ? last : undefined;
        })();
    if (!target) { told = isUndo ? "Nothing to undo" : "Nothing to redo"; return show(); }
    const of = units.findIndex((it) => it.item.id === target.item && it.hash === target.form);
    write(units[of], { retracted: { event: target.id } });
    left.delete(of); isTouched = false;
    place(of);
    told = (isUndo ? "Undone at " : "Done again at ") + nameOf(units[of]);
    show();
  };
  const isRedo = (event) => {
    const of = log.events.find((other) => same(other.id, event.act.retracted.event));
    return !!of && !!of.act.retracted;
  };
  const leave = (act) => { if (!unit() || unit() === survey) return; write(unit(), act); isTouched = false; place(next()); };
  const flag = () => {
    if (unit() === survey) return;
    const known = standing(unit()).flag;
    const reason = prompt("What is wrong with the item?", known || "");
    if (reason === null) return;
    write(unit(), reason.trim() ? { flagged: { reason: reason.trim() } } : "unflagged");
    show();
  };
  const download = () => {
    const head = { packet: packet.id, of: packet.of, person: packet.person };
    const lines = [head, ...log.events].map((it) => JSON.stringify(it)).join("\n") + "\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines], { type: "application/jsonl" }));
    link.download = packet.file + "-answers.jsonl";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // The screen.
  const el = (tag, props = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(props)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== undefined && value !== null) made.setAttribute(name, value);
    }
    made.append(...children.filter((it) => it !== null && it !== undefined && it !== false));
    return made;
  };
  // Of Markdown what guides need: **strong** and *emphasised* words; the rest stands as it is.
  const rich = (text) => text.split(/(\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) =>
    part.startsWith("**") && part.length > 4 ? el("b", {}, part.slice(2, -2))
      : part.startsWith("*") && part.length > 2 ? el("em", {}, part.slice(1, -1)) : part);
  // A text with headings, lists and pictures.
  const article = (text) => text.split(/(!\[[^\n]*?\]\([^\n)]*\))/).flatMap((part) => {
    const picture = part.match(/^!\[([^\n]*?)\]\(([^\n)]*)\)$/);
    if (picture) {
      const url = packet.study_pictures[picture[2].trim()];
      return [el("figure", {}, url ? el("img", { src: url, alt: picture[1] }) : el("p", { class: "dim" }, "The picture is not in the packet."),
        picture[1] && el("figcaption", {}, picture[1]))];
    }
    return part.split(/\n\s*\n|\n(?=#+ |[-*] |\d+\. )|(?<=^#+ [^\n]*)\n/m).map((it) => it.trim()).filter(Boolean).map((it) => {
      const heading = it.match(/^#+ (.*)$/);
      if (heading) return el("h3", {}, heading[1]);
      const bullet = it.match(/^[-*] ([^]*)$/);
      return el("p", bullet ? { class: "bullet" } : {}, ...rich((bullet ? bullet[1] : it).replace(/\s*\n\s*/g, " ")));
    });
  });
  const readingPage = () => {
    const isConsent = reading === "consent";
    const buttons = isConsent
      ? [el("button", { type: "button", class: "primary", onclick: goOn }, "I agree ⏎"),
        el("button", { type: "button", onclick: () => { declined = true; show(); } }, "I do not agree")]
      : [el("button", { type: "button", class: "primary", onclick: goOn }, "Go on ⏎")];
    return el("div", { class: "reading" }, el("h2", {}, isConsent ? "Before you begin" : "Examples"),
      el("p", { class: "dim" }, isConsent ? "Please read this. Nothing is asked before you agree." : "What answers should and should not be like."),
      el("div", { class: "article" }, ...article(isConsent ? packet.consent.text : packet.examples)),
      el("div", { class: "problem", role: "alert" }, declined ? "Nothing is asked of you. You can close the page; nothing was written down." : ""),
      el("div", { class: "actions" }, ...buttons));
  };
  const isOfSteps = () => ["run", "step"].includes(unit().item.kind) && lastOf(0) > 1;
  const lastOf = (run) => unit().item.runs[run] ? unit().item.runs[run].length - 1 : 0;
  const stepOf = (run) => Math.min(step[run] ?? unit().item.step ?? lastOf(run), lastOf(run));
  const pictureOf = (run) => {
    const of = unit().item.runs[run];
    return of && of[isOfSteps() ? stepOf(run) : of.length - 1];
  };

  // Where the form allows it: how far each pixel of a run is from the ground truth, CIEDE2000 (Sharma, Wu and Dalal
  // 2005), of the largest difference there is. What can hardly be seen stays clear.
  const LARGEST = 120, THRESHOLD = 0.025;
  let difference = false, differenceMillis = 0;
  const heats = new Map();
  const canDiffer = () => !!unit() && !!unit().form.evidence?.difference && unit().item.truth !== null;
  const linear = Array.from({ length: 256 }, (_, i) => (i > 10 ? ((i / 255 + 0.055) / 1.055) ** 2.4 : i / 255 / 12.92));
  const labOf = (rgb, at) => {
    const [r, g, b] = [linear[rgb[at]], linear[rgb[at + 1]], linear[rgb[at + 2]]];
    const [x, y, z] = [(0.412453 * r + 0.35758 * g + 0.180423 * b) / 0.95047, 0.212671 * r + 0.71516 * g + 0.072169 * b,
      (0.019334 * r + 0.119193 * g + 0.950227 * b) / 1.08883].map((it) => (it > 0.008856 ? Math.cbrt(it) : 7.787 * it + 16 / 116));
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const ciede2000 = ([l1, a1, b1], [l2, a2, b2]) => {
    const rad = Math.PI / 180, seventh = (c) => Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
    const grey = 1.5 - 0.5 * seventh((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2);
    const polar = (a, b) => [Math.hypot(a * grey, b), a * grey || b ? (Math.atan2(b, a * grey) / rad + 360) % 360 : 0];
    const [c1, h1] = polar(a1, b1), [c2, h2] = polar(a2, b2);
    const way = c1 * c2 === 0 ? 0 : h2 - h1 > 180 ? h2 - h1 - 360 : h2 - h1 < -180 ? h2 - h1 + 360 : h2 - h1;
    const hue = c1 * c2 === 0 ? h1 + h2 : Math.abs(h1 - h2) <= 180 ? (h1 + h2) / 2 : (h1 + h2 + (h1 + h2 < 360 ? 360 : -360)) / 2;
    const l = (l1 + l2) / 2, c = (c1 + c2) / 2, cos = (degrees) => Math.cos(degrees * rad);
    const t = 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63);
    const dl = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2)), dc = (c2 - c1) / (1 + 0.045 * c);
    const dh = (2 * Math.sqrt(c1 * c2) * Math.sin((way / 2) * rad)) / (1 + 0.015 * c * t);
    const turn = -2 * seventh(c) * Math.sin(60 * Math.exp(-(((hue - 275) / 25) ** 2)) * rad);
    return Math.sqrt(Math.max(0, dl * dl + dc * dc + dh * dh + turn * dc * dh));
  };
  const pixelsOf = async (picture, width, height) => {
    const img = new Image();
    img.src = packet.pictures[picture];
    await img.decode();
    const canvas = new OffscreenCanvas(width || img.naturalWidth, height || img.naturalHeight), context = canvas.getContext("2d");
    context.drawImage(img, 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height);
  };
  const heatOf = async (truth, picture) => {
    const made = await pixelsOf(picture), wanted = await pixelsOf(truth, made.width, made.height);
    const heat = new ImageData(made.width, made.height), known = new Map();
    for (let at = 0; at < heat.data.length; at += 4) {
      const [a, b] = [made, wanted].map(({ data }) => (data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
      if (a === b) continue;
      // Pictures of designs repeat few colours many times.
      const pair = a * 16777216 + b;
      let share = known.get(pair);
      if (share === undefined) known.set(pair, (share = Math.min(1, ciede2000(labOf(wanted.data, at), labOf(made.data, at)) / LARGEST)));
      if (share >= THRESHOLD) heat.data.set([...packet.ramp[Math.round(share * 255)], 255], at);
    }
    return heat;
  };
  const heatBox = (picture, title) => {
    const canvas = el("canvas", { class: "heat", role: "img", "aria-label": "Difference of " + title + " from the ground truth" });
    const key = unit().item.truth + " " + picture;
    if (!heats.has(key)) heats.set(key, heatOf(unit().item.truth, picture));
    heats.get(key).then((heat) => {
      Object.assign(canvas, { width: heat.width, height: heat.height });
      canvas.getContext("2d").putImageData(heat, 0, 0);
      canvas.dataset.ready = "yes";
    });
    return canvas;
  };

  const figure = (title, picture, run) => {
    const url = picture === null || picture === undefined ? null : packet.pictures[picture];
    const frame = el("div", { class: "frame" }, url
      ? el("img", { src: url, alt: title, draggable: "false" })
      : el("p", { class: "dim" }, "There is no picture of this step."));
    if (run !== null && url && difference && canDiffer() && !holds) frame.append(heatBox(picture, title));
    if (run !== null && url) {
      frame.addEventListener("pointerdown", (event) => drag(event, frame, run));
      for (const [number, region, name] of regions(run)) frame.append(regionBox(frame, region, name || number));
    }
    return el("figure", {}, el("figcaption", {}, title), el("div", { class: "picture" }, frame));
  };
  const candidate = (i) => {
    const made = figure("Candidate " + (i + 1), unit().item.candidate_pictures[i], null);
    const question = asked().find((it) => it.answer.kind === "ranking" && !(it.answer.options || []).length);
    const rank = question && rankOf(draft.values[question.id], unit().item.candidates[i]);
    if (rank) made.querySelector(".frame").append(el("b", { class: "rank", "aria-label": "Rank " + rank }, String(rank)));
    return made;
  };
  const regions = (run) => {
    const isHere = (place) => place.region && (place.run ?? 0) === run;
    const marks = asked().flatMap((question) => (draft.values[question.id] || {}).marks || []);
    return marks.map((it, i) => [String(i + 1), it.place.region, "", it.place]).filter((it) => isHere(it[3]))
      .concat(Object.values(draft.evidence).flat().filter(isHere).map((place) => ["•", place.region, ""]));
  };
  const regionBox = (frame, [x, y, w, h], name) => {
    const box = el("div", { class: "region" }, el("b", {}, name));
    const img = frame.querySelector("img");
    const set = () => {
      if (!img.naturalWidth) return;
      const scale = img.clientWidth / img.naturalWidth;
      Object.assign(box.style, { left: x * scale + "px", top: y * scale + "px", width: w * scale + "px", height: h * scale + "px" });
    };
    img.addEventListener("load", set);
    requestAnimationFrame(set);
    return box;
  };
  const drag = (event, frame, run) => {
    const question = focused(), img = frame.querySelector("img");
    if (!question || !img || !(question.answer.kind === "marks" ? mark !== null : question.evidence)) return;
    event.preventDefault();
    const scale = img.naturalWidth / img.clientWidth, bounds = img.getBoundingClientRect();
    const point = (it) => [Math.max(0, Math.min(bounds.width, it.clientX - bounds.left)) * scale,
      Math.max(0, Math.min(bounds.height, it.clientY - bounds.top)) * scale];
    const from = point(event);
    const end = (it) => {
      const to = point(it);
      const region = [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])]
        .map((number) => Math.round(number));
      const where = { ...placeNow(run), region: region[2] * region[3] > 0 ? region : [region[0], region[1], 1, 1] };
      if (question.answer.kind === "marks") draft.values[question.id].marks[mark].place = where;
      else (draft.evidence[question.id] ||= []).push(where);
      isTouched = true;
      show();
    };
    addEventListener("pointerup", end, { once: true });
  };

  const optionButton = (question, option, name, key) => {
    const value = draft.values[question.id];
    const isRanking = question.answer.kind === "ranking", rank = isRanking ? rankOf(value, option) : 0;
    const isOn = question.answer.kind === "marks" ? false : isRanking ? rank > 0 : spoken(value).includes(option);
    const button = el("button", { type: "button", "aria-pressed": String(isOn), onclick: () => {
      if (button.dataset.dragged) return;
      focus = question.id;
      choose(question, option);
    } }, key && question === focused() ? el("kbd", {}, key.toUpperCase()) : null, rank ? rank + ". " + name : name);
    if (isRanking) button.addEventListener("pointerdown", (event) => dragRank(event, button, question, option));
    return button;
  };
  // What is ranked is dragged to its place among the others.
  const dragRank = (down, button, question, option) => {
    const move = (event) => {
      if (Math.abs(event.clientY - down.clientY) > 4) { button.dataset.dragged = "yes"; button.classList.add("dragged"); }
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", (event) => {
      removeEventListener("pointermove", move);
      if (!button.dataset.dragged) return;
      const middle = (it) => { const box = it.getBoundingClientRect(); return box.top + box.height / 2; };
      const others = [...button.parentElement.children].filter((it) => it !== button);
      const above = others.filter((it) => middle(it) < event.clientY).map((it) => rankOf(draft.values[question.id], it.dataset.option));
      const ranking = withoutRank(draft.values[question.id], option);
      ranking.splice(Math.min(new Set(above.filter(Boolean)).size, ranking.length), 0, option);
      focus = question.id;
      putRanking(question, ranking);
      // The click of this release is none.
      setTimeout(show);
    }, { once: true });
  };
  const questionBox = (question) => {
    const isFocused = question === focused();
    const box = el("div", { class: "question" + (isFocused ? " focused" : ""), onclick: () => {
      if (focus !== question.id) { focus = question.id; show(); }
    } }, el("h3", {}, words(question.text), question.optional ? el("span", { class: "dim small" }, "  if you like") : null));
    if (words(question.help)) box.append(el("p", {}, words(question.help)));
    const keys = new Map(keysOf(question).map(([key, option]) => [option, key]));
    const kind = question.answer.kind;
    if (kind === "text") {
      const area = el("textarea", { rows: 2, "aria-label": words(question.text), oninput: (event) => {
        put(question, event.target.value ? { text: event.target.value } : null); keepDraft();
      } });
      area.value = (draft.values[question.id] || {}).text || "";
      box.append(area);
    } else {
      const named = kind === "preference" ? [["first", "A"], ...(question.answer.tie === false ? [] : [["tie", "Tie"]]), ["second", "B"]]
        : kind === "yes_no" ? [["yes", "Yes"], ["no", "No"]]
        : kind === "rating" ? [...keys.keys()].map((it) => [it, it])
        : optionsOf(question).map((option) => [option.id, words(option.text)]);
      const isList = kind === "ranking" || (["choice", "choices", "marks"].includes(kind) && named.length > 3);
      // The best on top, and below what is to be ranked.
      const rank = ([id]) => rankOf(draft.values[question.id], id) || named.length + 1;
      if (kind === "ranking") named.sort((a, b) => rank(a) - rank(b));
      box.append(el("div", { class: "options" + (isList ? " list" : ""), role: "group", "aria-label": words(question.text) },
        ...named.map(([option, name]) => {
          const button = optionButton(question, option, name, keys.get(option));
          button.dataset.option = option;
          return button;
        })));
      if (kind === "ranking" && isFocused) box.append(el("p", {}, "Best first: keys, clicks, or drag one to its place. "
        + (question.answer.ties ? "J ties the last one with the one before it." : "Without ties.")));
      if (kind === "rating") box.append(el("p", {}, [words(question.answer.least_text), words(question.answer.most_text)].filter(Boolean).join(" … ")));
    }
    if (kind === "marks") marksBox(question).forEach((it) => box.append(it));
    else if (question.evidence) {
      const places = draft.evidence[question.id] || [];
      if (places.length || isFocused) box.append(el("p", {}, places.length ? places.length + " places shown" : "Drag over a picture to show where"
        + (question.evidence === "required" ? " (needed)" : "")));
    }
    return box;
  };
  const marksBox = (question) => ((draft.values[question.id] || {}).marks || []).map((one, i) => {
    const option = optionsOf(question).find((it) => it.id === one.option);
    const severities = Array.from({ length: question.answer.severities || 0 }, (_, n) => n + 1);
    return el("div", { class: "mark" + (mark === i ? " now" : ""), onclick: () => { mark = i; } },
      el("span", {}, i + 1 + ". " + words(option && option.text)),
      ...severities.map((n) => el("button", { type: "button", "aria-pressed": String(one.severity === n), "aria-label": "Severity " + n,
        onclick: () => { one.severity = n; mark = i; isTouched = true; show(); } }, String(n))),
      el("button", { type: "button", "aria-label": "Remove the mark", onclick: () => {
        draft.values[question.id].marks.splice(i, 1); mark = null; isTouched = true; show();
      } }, "×"));
  });
  const valueWords = (question, value) => spoken(value).map((place) => place.split("=").map((word) => {
    const option = optionsOf(question).find((it) => it.id === word);
    return option ? words(option.text) : word;
  }).join(" = ")).join(", ");
  const sideWords = { first: "A", tie: "Tie", second: "B", yes: "Yes", no: "No" };
  const feedbackBox = (of, answer) => {
    const known = knownOf(of), isRight = isAsKnown(of, answer);
    return el("div", { class: "guide feedback" + (isRight ? " right" : ""), role: "status" }, el("b", {}, isRight ? "As it should be" : "It should be"),
      ...(isRight ? [] : of.form.questions.filter((it) => known.values[it.id]).map((it) => {
        const value = valueWords(it, known.values[it.id]);
        return el("p", {}, words(it.text) + " " + (sideWords[value] || value));
      })), known.note ? el("p", {}, known.note) : "",
      el("p", { class: "dim small" }, "An item to learn by: it counts in no result. Answer it again, or go on by Enter."));
  };
  const proposalBox = ({ form, item: { proposal } }) => el("div", { class: "guide proposal" }, el("b", {}, "Proposed by a program"),
    ...form.questions.filter((it) => proposal.answer.values[it.id]).map((it) => el("p", {}, valueWords(it, proposal.answer.values[it.id]))),
    proposal.answer.note ? el("p", {}, proposal.answer.note) : "",
    el("p", { class: "dim small" }, proposal.by + ". It may be wrong, and counts as nobody's answer."));
  const keepDraft = () => { isTouched = true; };
  const toggleDifference = () => { countTime(); difference = !difference; show(); };

  const show = () => {
    const state = units.map(standing), answered = state.filter((it) => it.answer).length;
    const header = document.querySelector("header"), nav = document.querySelector("nav");
    const main = document.querySelector("main"), aside = document.querySelector("aside");
    header.replaceChildren(el("h1", {}, packet.name), el("span", { class: "dim small" }, packet.person), el("span", { class: "space" }),
      el("span", { class: "saved" + (isKept ? "" : " lost"), role: "status" }, isKept
        ? log.events.length + " events kept in this browser"
        : "Nothing is kept in this browser: download the answers before you close the page"),
      el("button", { type: "button", class: answered === units.length || !isKept ? "primary" : "", onclick: download }, "Download answers"));
    const scroll = nav.scrollTop;
    nav.replaceChildren(el("div", { class: "dim small" }, answered + " of " + units.length + " answered"),
      el("div", { class: "progress", role: "progressbar", "aria-valuenow": answered, "aria-valuemax": units.length }, el("i")),
      ...units.map((it, i) => el("button", { type: "button", "aria-current": i === at ? "true" : null, onclick: () => place(i),
        class: "unit" + (state[i].flag ? " flagged" : state[i].answer ? " done" : "") },
        el("b", {}, state[i].flag ? "!" : state[i].answer ? "✓" : state[i].isSkipped ? "–" : "○"), nameOf(it))));
    nav.querySelector(".progress i").style.width = (100 * answered) / Math.max(1, units.length) + "%";
    nav.scrollTop = scroll;
    document.body.classList.toggle("before", !!reading);
    document.body.classList.toggle("survey", !reading && !!survey && unit() === survey);
    if (reading) {
      main.replaceChildren(readingPage());
      return;
    }
    if (!unit()) {
      main.replaceChildren(el("div", { class: "empty" }, el("div", {}, el("h2", {}, units.length ? "All done" : "Nothing is asked"),
        el("p", {}, "Download the answers and send the file to whoever leads the study. Any answer can still be opened and changed."),
        el("button", { type: "button", class: "primary", onclick: download }, "Download answers"))));
      aside.replaceChildren(el("p", { class: "dim" }, told));
      return;
    }
    const { item, form } = unit();
    const truth = item.truth === null ? [] : [figure("Ground truth", item.truth, null)];
    const runs = item.runs.map((_, run) => {
      const title = item.kind === "pair" ? "AB"[run] : item.runs.length > 1 ? ["Agent", "Gold"][run] : "Design";
      return figure(holds && item.truth !== null ? "Ground truth" : title, holds && item.truth !== null ? item.truth : pictureOf(run), run);
    });
    const panes = item.kind === "pair" ? [runs[0], ...truth, runs[1]]
      : [...item.candidates.map((_, i) => candidate(i)), ...runs, ...(runs.length > 1 ? [] : truth)];
    main.replaceChildren(el("div", { class: "words" }, item.text || ""), el("div", { class: "panes" }, ...panes.filter(Boolean)),
      isOfSteps() ? el("div", { class: "steps" }, el("span", {}, "Step " + stepOf(0) + " of " + lastOf(0)),
        el("input", { type: "range", min: 0, max: lastOf(0), value: stepOf(0), "aria-label": "Step", oninput: (event) => {
          step[0] = Number(event.target.value); show();
        } })) : el("div"),
      canDiffer() ? el("div", { class: "steps" }, el("button", { type: "button", "aria-pressed": String(difference), onclick: toggleDifference },
        el("kbd", {}, "E"), "Difference")) : "");
    const note = el("textarea", { rows: 2, id: "note", "aria-label": "Note", placeholder: "Note", oninput: (event) => {
      draft.note = event.target.value; keepDraft();
    } });
    note.value = draft.note;
    const top = aside.scrollTop;
    aside.replaceChildren(el("h2", {}, words(form.title)), words(form.guide) ? el("div", { class: "guide" }, ...rich(words(form.guide))) : "",
      packet.guidelines && unit() !== survey ? el("details", { open: !log.events.length }, el("summary", {}, "Guidelines"), el("div", { class: "guide" }, ...rich(packet.guidelines))) : "",
      packet.examples && unit() !== survey ? el("button", { type: "button", onclick: () => { reading = "examples"; show(); } }, "Examples") : "",
      ...(knownOf(unit()) && state[at].answer ? [feedbackBox(unit(), state[at].answer)] : []),
      ...(isProposalSeen(unit()) ? [proposalBox(unit())] : []),
      ...asked().map(questionBox), ...(unit() === survey ? [] : [el("h3", {}, "Note ", el("kbd", {}, "C")), note]),
      el("div", { class: "problem", role: "alert" }, problem || told),
      el("div", { class: "actions" }, el("button", { type: "button", class: "primary", onclick: done }, "Done ⏎"), ...(unit() === survey ? [] : [
        el("button", { type: "button", onclick: () => leave("skipped") }, "Skip"), el("button", { type: "button", onclick: flag }, "Flag…"),
        el("button", { type: "button", "aria-pressed": String(draft.unsure), onclick: () => { draft.unsure = !draft.unsure; keepDraft(); show(); } }, "Not sure"),
        el("button", { type: "button", onclick: () => back(true) }, "Undo")])));
    aside.scrollTop = top;
    const box = aside.querySelector(".question.focused");
    if (box) box.scrollIntoView({ block: "nearest" });
    nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  };

  addEventListener("keydown", (event) => {
    if (event.target.matches("textarea, input[type=text]")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const withCtrl = event.ctrlKey || event.metaKey;
    if (withCtrl && pressed === "z" && !reading) { event.preventDefault(); return back(!event.shiftKey); }
    if (withCtrl || event.altKey || !units.length) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[pressed];
    const stop = () => event.preventDefault();
    if (reading) {
      if (pressed === "Enter" && !event.target.matches("button")) { stop(); goOn(); }
      return;
    }
    if (pressed === "Backspace") { stop(); return back(true); }
    if (pressed === "PageDown" || pressed === "PageUp") { stop(); return place(Math.min(units.length - 1, at + (pressed === "PageDown" ? 1 : -1))); }
    if (!unit()) return;
    if (pressed === "Enter") { if (event.target.matches("button")) return; stop(); return done(); }
    if (by && isOfSteps()) {
      stop();
      item().runs.forEach((_, run) => { step[run] = Math.max(0, Math.min(lastOf(run), stepOf(run) + by)); });
      return show();
    }
    if (pressed === "ArrowDown" || pressed === "ArrowUp") {
      stop();
      const all = asked(), now = all.indexOf(focused()) + (pressed === "ArrowDown" ? 1 : -1);
      focus = all[Math.max(0, Math.min(all.length - 1, now))].id;
      return show();
    }
    if (pressed === "e" && canDiffer()) { stop(); return toggleDifference(); }
    if (pressed === "g" && !event.repeat) { holds = true; return show(); }
    if (pressed === "c" && unit() !== survey) { stop(); return document.getElementById("note").focus(); }
    if (pressed === "u" && unit() !== survey) { draft.unsure = !draft.unsure; keepDraft(); return show(); }
    if (pressed === "k") return leave("skipped");
    const question = focused();
    if (!question) return;
    if (question.answer.kind === "marks" && mark !== null && Number(pressed) >= 1 && Number(pressed) <= (question.answer.severities || 0)) {
      draft.values[question.id].marks[mark].severity = Number(pressed);
      keepDraft();
      return show();
    }
    if (pressed === "j" && question.answer.ties) { stop(); return tie(question); }
    const option = keysOf(question).find(([key]) => key === pressed);
    if (option) { stop(); return choose(question, option[1]); }
    if (pressed === "f") return flag();
  });
  const item = () => unit().item;
  addEventListener("keyup", (event) => { if (event.key.toLowerCase() === "g" && holds) { holds = false; show(); } });
  addEventListener("blur", () => { if (holds) { holds = false; show(); } });
  addEventListener("beforeunload", (event) => { if (isTouched || !isKept) event.preventDefault(); });

  // How long an item is on the screen, while the window is looked at.
  let last = performance.now();
  const countTime = () => {
    const now = performance.now();
    if (document.hasFocus() && !document.hidden && !reading) {
      millis += Math.min(now - last, 60000);
      if (difference && canDiffer()) differenceMillis += Math.min(now - last, 60000);
    }
    last = now;
  };
  setInterval(countTime, 250);
  place(Math.max(0, units.findIndex((it) => !standing(it).answer && !standing(it).isSkipped)));
  if (units.length && units.every((it) => standing(it).answer)) place(units.length);
})();
