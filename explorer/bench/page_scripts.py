"""What the browser benchmark runs in the page."""

# `act` changes something; then two frames pass, so that it is painted. Marks say where to look in the trace.
IN_PAGE = """() => {
window.frame = () => new Promise((done) => requestAnimationFrame(done));
window.painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();  // its message comes after the frame that is being made
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
}));
window.timed = async (acts) => {
    const times = [];
    for (const act of acts) {
        await frame();
        await frame();
        performance.mark("begin");
        const start = performance.now();
        act();
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
STEPS = """(count) => {
    const way = (i) => (i % 40 < 20 ? "previous" : "next");
    return timed(Array.from({ length: count }, (_, i) => () => button(way(i)).click()));
}"""
CHANGES = """([what, count]) => {
    const kinds = ["encoder", "decoder", "cross"], choices = ["mean", 0, 1, "max", 2];
    const change = {
        kind: (i) => document.querySelector(`.kinds button[value=${kinds[i % 3]}]`).click(),
        layer: (i) => select("layer", i % 4),
        head: (i) => select("head", choices[i % 5]),
    }[what];
    return timed(Array.from({ length: count }, (_, i) => () => change(i)));
}"""
PLAY = """async () => {
    document.querySelector("[data-choice=speed]").value = "60";
    document.querySelector("[data-choice=speed]").dispatchEvent(new Event("change"));
    button("first").click();
    await frame();
    const viewer = document.querySelector(".viewer"), last = Number(document.querySelector("[data-role=slider]").max);
    button("play").click();
    const begun = await frame(), first = Number(viewer.dataset.step);
    let now = begun;
    while (Number(viewer.dataset.step) < last) now = await frame();
    return (1000 * (last - first)) / (now - begun);
}"""
BACK_AND_FORTH = """async (count) => {
    for (let i = 0; i < count; i++) {
        button(i % 60 < 30 ? "previous" : "next").click();
        await frame();
    }
}"""
INSIDE = """() => {
const heading = document.querySelector(".inside [data-role=heading]");
const written = () => new Promise((done) => new MutationObserver((_, observer) => {
    observer.disconnect();
    done();
}).observe(heading, { childList: true, characterData: true, subtree: true }));
window.chooseNext = async (what) => {
    const control = document.querySelector(`.inside [data-choice=${what}]`), shown = written();
    const start = performance.now();
    control.selectedIndex = (control.selectedIndex + 1) % control.length;
    control.dispatchEvent(new Event("change"));
    await shown;
    await painted();
    return { time: performance.now() - start, wrapped: control.selectedIndex === 0 };
};
}"""
CELL_CHANGES = """async ([what, count]) => {
    const times = [];
    for (let i = 0; i < count; i++) {
        await frame();
        times.push((await chooseNext(what)).time);
    }
    return times;
}"""
# All heads of a kind in turn are more than are remembered, so that each is asked for.
FIRST_LOOKS = """async (count) => {
    const times = [];
    for (let i = 0; i < count; i++) {
        await frame();
        const { time, wrapped } = await chooseNext("head");
        if (wrapped) await chooseNext("layer");
        else times.push(time);
    }
    return times;
}"""
WATCH_ARRIVAL = """() => {
    const viewer = document.querySelector(".viewer");
    new MutationObserver(async () => { await painted(); performance.mark("painted"); window.arrived = true; })
        .observe(viewer, { attributeFilter: ["data-submission"] });
}"""

# A head of What if is clicked; the picture is there when the panel has drawn the answer.
CLICK_HEADS = """async (count) => {
    const lab = document.querySelector(".lab"), cells = [...document.querySelectorAll(".lab .heads .switches .cell")];
    const drawn = () => new Promise((done) => new MutationObserver((_, observer) => { observer.disconnect(); done(); })
        .observe(lab, { attributeFilter: ["data-runs"] }));
    const times = [];
    for (let i = 0; i < count; i++) {
        await frame();
        await frame();
        const shown = drawn(), start = performance.now();
        cells[(7 * i) % cells.length].click();
        await shown;
        await painted();
        times.push(performance.now() - start);
    }
    return times;
}"""
# Milliseconds from navigation to the frame after the one in which the attention view was drawn.
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
