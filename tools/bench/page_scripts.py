"""JavaScript that the browser benchmark runs in the page."""

# `timed` runs each action and waits until its effect is painted. Marks delimit each action in the trace.
DEFINE_TIMING = """() => {
window.frame = () => new Promise((done) => requestAnimationFrame(done));
window.painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();  // its message arrives after the current frame
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
}));
window.timed = async (actions) => {
    const times = [];
    for (const action of actions) {
        await frame();
        await frame();
        performance.mark("begin");
        const start = performance.now();
        action();
        await painted();
        times.push(performance.now() - start);
        await frame();
        performance.mark("end");
    }
    return times;
};
window.button = (name) => document.querySelector(`[data-go=${name}]`);
window.select = (role, value) => {
    const control = document.querySelector(`[data-role=${role}]`);
    control.value = value;
    control.dispatchEvent(new Event("change"));
};
}"""
TIME_STEPS = """(count) => {
    const direction = (i) => (i % 40 < 20 ? "previous" : "next");
    return timed(Array.from({ length: count }, (_, i) => () => button(direction(i)).click()));
}"""
TIME_CHANGES = """([what, count]) => {
    const kinds = ["encoder", "decoder", "cross"], choices = ["mean", 0, 1, "max", 2];
    const change = {
        kind: (i) => document.querySelector(`.kinds button[value=${kinds[i % 3]}]`).click(),
        layer: (i) => select("layer", i % 4),
        head: (i) => select("head", choices[i % 5]),
    }[what];
    return timed(Array.from({ length: count }, (_, i) => () => change(i)));
}"""
TIME_PLAYBACK = """async () => {
    document.querySelector("[data-choice=speed]").value = "60";
    document.querySelector("[data-choice=speed]").dispatchEvent(new Event("change"));
    button("first").click();
    await frame();
    const viewer = document.querySelector(".viewer"), last = Number(document.querySelector("[data-role=slider]").max);
    button("play").click();
    const start = await frame(), first = Number(viewer.dataset.step);
    let now = start;
    while (Number(viewer.dataset.step) < last) now = await frame();
    return (1000 * (last - first)) / (now - start);
}"""
STEP_BACK_AND_FORTH = """async (count) => {
    for (let i = 0; i < count; i++) {
        button(i % 60 < 30 ? "previous" : "next").click();
        await frame();
    }
}"""
WATCH_ARRIVAL = """() => {
    const viewer = document.querySelector(".viewer");
    new MutationObserver(async () => { await painted(); performance.mark("painted"); window.arrived = true; })
        .observe(viewer, { attributeFilter: ["data-submission"] });
}"""

# Switches heads off in the drawer, one more each time; the bar is busy until the run is there.
TIME_HEAD_SWITCHES = """async (count) => {
    const bar = document.querySelector("#bar .change-bar").closest("[aria-busy]");
    const cells = [...document.querySelectorAll(".drawer .heads .switches .cell")].filter((cell) => cell.offsetParent);
    const nextRun = () => new Promise((done) => {
        let hasBegun = false;
        new MutationObserver((_, watch) => {
            const isBusy = bar.ariaBusy === "true";
            hasBegun ||= isBusy;
            if (!hasBegun || isBusy) return;
            watch.disconnect();
            done();
        }).observe(bar, { attributeFilter: ["aria-busy"] });
    });
    const times = [];
    for (let i = 0; i < count; i++) {
        await frame();
        await frame();
        const shown = nextRun(), start = performance.now();
        cells[(7 * i) % cells.length].click();
        await shown;
        await painted();
        times.push(performance.now() - start);
    }
    return times;
}"""
# Milliseconds from navigation until the attention view is painted.
FIRST_PICTURE = """
window.firstPicture = new Promise((done) => {
    const watch = new MutationObserver(() => {
        if (!document.querySelector(".viewer[data-step] .heatmap .nsewdrag")) return;
        watch.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
    });
    watch.observe(document, { subtree: true, childList: true, attributeFilter: ["data-step"] });
});
"""
