"use strict";
(() => {
  const run = JSON.parse(document.getElementById("run").textContent);
  const last = run.steps.length - 1;
  const views = [["Side by side", "side"], ["Swipe", "swipe"], ["Onion skin", "onion"], ["Difference", "difference"]];
  let step = last, view = "side", mix = 50, timer = null;

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  };
  const svg = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const buttons = views.map(([words, key], at) => element("button", {
    type: "button", title: `${words} (${at + 1})`, onclick: () => { view = key; draw(); },
  }, words));
  const stage = element("div", { class: "stage" });
  const mixer = element("input", {
    type: "range", min: 0, max: 100, value: mix, "aria-label": "How much of the ground truth",
    oninput: (event) => { mix = Number(event.target.value); draw(); },
  });
  const slider = element("input", {
    type: "range", min: 0, max: last, value: step, id: "step", "aria-label": "Step",
    oninput: (event) => { stop(); go(Number(event.target.value)); },
  });
  const number = element("output", { for: "step" });
  const play = element("button", { type: "button", title: "Play or pause (space)", onclick: () => toggle() }, "Play");
  const curve = svg("svg", { viewBox: "0 0 1000 84", preserveAspectRatio: "none", role: "img" });
  const details = element("aside");

  const left = element("div", {},
    run.truth === null ? "" : element("div", { class: "bar", role: "group", "aria-label": "View" }, ...buttons),
    element("div", { class: "times" }, play, slider, number), curve, mixer, stage);
  document.getElementById("player").append(left, details);

  const picture = (of) => {
    if (of === null || of === undefined) return element("div", { class: "quiet" }, "Nothing was drawn yet.");
    return element("img", { src: run.pictures[of], alt: `The canvas after step ${step}` });
  };
  const truth = () => element("img", { src: run.truth, alt: "The ground truth" });
  const pane = (words, ...inside) => element("figure", { class: "pane" }, ...inside, element("figcaption", {}, words));

  function drawStage() {
    const own = run.steps[step].picture;
    const name = step === 0 ? "Start" : `Step ${step}`;
    if (run.truth === null) { stage.replaceChildren(pane(name, picture(own))); return; }
    if (view === "side") {
      stage.replaceChildren(pane(name, picture(own)), pane("Ground truth", truth()));
      return;
    }
    const over = truth();
    over.className = "over";
    if (view === "swipe") over.style.clipPath = `inset(0 0 0 ${mix}%)`;
    if (view === "onion") over.style.opacity = mix / 100;
    if (view === "difference") over.style.mixBlendMode = "difference";
    const words = { swipe: `${name} at the left, ground truth at the right`, onion: `${name} below the ground truth`,
      difference: `Difference of ${name.toLowerCase()} and the ground truth` }[view];
    stage.replaceChildren(pane(words, picture(own), over));
  }

  function drawCurve() {
    const variant = run.variants[0];
    const values = run.steps.map((it) => variant ? it.scores[0] : null);
    const known = values.filter((value) => value !== null);
    curve.replaceChildren();
    curve.hidden = known.length === 0;
    if (known.length === 0) return;
    const low = Math.min(...known), span = Math.max(...known) - low || 1;
    const x = (at) => last === 0 ? 500 : 6 + at * 988 / last;
    const y = (value) => 76 - (value - low) / span * 68;
    const points = values.map((value, at) => value === null ? null : `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
    const line = svg("polyline", { points: points.filter((it) => it !== null).join(" "), fill: "none",
      stroke: "var(--accent)", "stroke-width": 2, "vector-effect": "non-scaling-stroke" });
    run.steps.forEach((it, at) => {
      if (it.failed) curve.append(svg("line", { x1: x(at), x2: x(at), y1: 78, y2: 84, stroke: "var(--loss)",
        "stroke-width": 2, "vector-effect": "non-scaling-stroke" }));
    });
    curve.append(line, svg("line", { x1: x(step), x2: x(step), y1: 0, y2: 84, stroke: "var(--text)",
      "stroke-width": 1.5, "vector-effect": "non-scaling-stroke" }));
    const best = variant.higherIsBetter ? Math.max(...known) : Math.min(...known);
    curve.setAttribute("aria-label",
      `${variant.label} by step; best ${best.toFixed(3)} at step ${values.indexOf(best)}, last ${known[known.length - 1].toFixed(3)}`);
  }

  function section(title, ...inside) {
    return element("section", {}, element("h2", {}, title), ...inside);
  }

  function drawDetails() {
    const now = run.steps[step], before = run.steps[step - 1];
    const parts = [];
    if (step > 0) {
      const title = now.tool ? `Step ${step} · turn ${now.turn} · ${now.tool}` : `Step ${step}`;
      const inside = [];
      if (now.thought) inside.push(element("p", {}, now.thought));
      if (now.arguments) inside.push(element("pre", {}, now.arguments));
      parts.push(section(title, ...inside));
      if (now.outcome !== null && now.outcome !== undefined) {
        parts.push(section(now.failed ? "Failed" : "Outcome", element("pre", { class: now.failed ? "failed" : "" }, now.outcome)));
      } else if (now.failed) {
        parts.push(section("Failed", element("p", { class: "failed" }, "The call was not answered.")));
      }
    } else {
      parts.push(section("Start", element("p", { class: "quiet" }, "What the agent began with.")));
    }
    if (run.notScored) parts.push(section("Scores", element("p", { class: "quiet" }, `Not scored: ${run.notScored}.`)));
    else if (run.variants.length > 0) {
      const rows = run.variants.map((variant, at) => {
        const value = now.scores[at], was = before ? before.scores[at] : null;
        const cell = element("td", {}, value === null ? "–" : value.toFixed(3));
        if (value !== null && was !== null && Math.abs(value - was) >= 0.0005) {
          const better = variant.higherIsBetter ? value > was : value < was;
          const sign = value > was ? "+" : "−";
          cell.append(element("span", { class: better ? "better" : "worse" }, ` ${sign}${Math.abs(value - was).toFixed(3)}`));
        }
        return element("tr", {}, element("td", {}, variant.id), cell);
      });
      parts.push(section("Scores", element("table", {}, ...rows)));
    }
    details.replaceChildren(...parts);
  }

  function draw() {
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(views[at][1] === view)));
    mixer.hidden = run.truth === null || view === "side" || view === "difference";
    slider.value = step;
    number.textContent = `${step} / ${last}`;
    play.textContent = timer === null ? "Play" : "Pause";
    drawStage();
    drawCurve();
    drawDetails();
  }

  function go(to) { step = Math.min(Math.max(to, 0), last); draw(); }
  function stop() { clearInterval(timer); timer = null; }
  function toggle() {
    if (timer !== null) { stop(); draw(); return; }
    if (step >= last) step = 0;
    timer = setInterval(() => { if (step >= last) { stop(); draw(); } else go(step + 1); }, 400);
    draw();
  }

  curve.addEventListener("click", (event) => {
    const box = curve.getBoundingClientRect();
    stop();
    go(Math.round((event.clientX - box.left) / box.width * last));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key;
    if (key === "ArrowRight") { stop(); go(step + 1); }
    else if (key === "ArrowLeft") { stop(); go(step - 1); }
    else if (key === "Home") { stop(); go(0); }
    else if (key === "End") { stop(); go(last); }
    else if (key === " " && event.target.tagName !== "BUTTON") toggle();
    else if (run.truth !== null && key >= "1" && key <= "4") { view = views[Number(key) - 1][1]; draw(); }
    else return;
    event.preventDefault();
  });
  draw();
})();
