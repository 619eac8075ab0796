// Charts: draws every [data-chart] with Plotly, fetched when the first one comes near; colours and type come from the
// CSS tokens.

const drawn = new Set();
const PAPER = { autosize: false, width: 330, height: 150, font: { size: 9 } }; // half a sheet of A4, see print.css
let library,
  printing = false;
const plotly = (address) =>
  (library ??= new Promise((resolve, reject) => {
    const tag = document.createElement("script");
    tag.src = address;
    tag.addEventListener("load", () => resolve(window.Plotly));
    tag.addEventListener("error", reject);
    document.head.append(tag);
  }));

// light-dark() only resolves in a used value, so tokens are read off a real element.
const probe = document.createElement("span");
probe.hidden = true;
const token = (property, text) => {
  probe.style[property] = "";
  probe.style[property] = text;
  return getComputedStyle(probe)[property];
};
const resolve = (value) => {
  if (typeof value === "string")
    return /^var\(--(mono|sans)\)$/.test(value)
      ? token("fontFamily", value)
      : value.startsWith("var(--")
        ? token("color", value)
        : value;
  if (Array.isArray(value)) return value.map(resolve);
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolve(v)]));
  return value;
};
const merge = (base, extra) => {
  const out = { ...base };
  for (const [k, v] of Object.entries(extra))
    out[k] = v && typeof v === "object" && !Array.isArray(v) ? merge(base[k] || {}, v) : v;
  return out;
};

const house = (narrow, layout) => {
  const labelled = layout.annotations?.length > 0,
    legend = layout.showlegend;
  const axis = {
    gridcolor: "var(--hair)",
    linecolor: "var(--rule)",
    zerolinecolor: "var(--hair)",
    tickfont: { family: "var(--mono)", size: 12, color: "var(--muted)" },
    title: { font: { family: "var(--sans)", size: 13, color: "var(--muted)" }, standoff: 8 },
    fixedrange: true,
    automargin: true,
    zeroline: false,
  };
  return {
    autosize: true,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    margin: { l: narrow ? 36 : 48, r: 8, t: 8 + 22 * labelled + 26 * legend, b: 40 },
    font: { family: "var(--sans)", size: 13, color: "var(--text)" },
    bargap: 0.18,
    bargroupgap: 0,
    barcornerradius: 0,
    xaxis: { ...axis, showgrid: false, linewidth: 2, showline: true, ticks: "" },
    yaxis: { ...axis, showline: false, ticks: "", nticks: narrow ? 4 : 6 },
    legend: {
      orientation: "h",
      x: 1,
      xanchor: "right",
      y: labelled ? 1.12 : 1.02,
      yanchor: "bottom",
      font: { family: "var(--sans)", size: 13 },
    },
    hoverlabel: {
      bgcolor: "var(--inv-bg)",
      bordercolor: "var(--accent)",
      font: { family: "var(--mono)", size: 13, color: "var(--inv-text)" },
    },
    transition: { duration: 0 },
  };
};

async function draw(chart) {
  const plot = chart.querySelector(".chart__plot"),
    json = chart.querySelector("script[type='application/json']").textContent;
  const figure = JSON.parse(json),
    Plotly = await plotly(chart.dataset.plotly);
  if (!plot.isConnected) return;
  document.body.append(probe);
  const look = merge(house(printing || plot.clientWidth < 480, figure.layout), figure.layout);
  const layout = resolve(printing ? merge(look, PAPER) : look),
    data = resolve(figure.data);
  probe.remove();
  await Plotly.react(plot, data, layout, {
    displayModeBar: false,
    responsive: true,
    staticPlot: false,
    doubleClick: false,
  });
  drawn.add(chart);
  chart.dataset.drawn = "";
}
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) {
        near.unobserve(target);
        draw(target);
      }
  },
  { rootMargin: "300px" },
);
const look = () => {
  for (const chart of drawn)
    if (!chart.isConnected) {
      window.Plotly.purge(chart.querySelector(".chart__plot"));
      drawn.delete(chart);
    }
  for (const chart of document.querySelectorAll("[data-chart]:not([data-watched])")) {
    chart.dataset.watched = "";
    near.observe(chart);
  }
};
const redraw = () => {
  for (const chart of drawn) if (chart.isConnected) draw(chart);
};

document.addEventListener("htmx:afterSettle", look);
document.addEventListener("prefs", (e) => {
  if (e.detail.name === "theme") redraw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

// Paper is white: charts are drawn in the light theme for it, and drawn back afterwards.
const root = document.documentElement;
let screen;
window.addEventListener("beforeprint", () => {
  printing = true;
  screen = root.dataset.theme;
  root.dataset.theme = "light";
  redraw();
});
window.addEventListener("afterprint", () => {
  printing = false;
  if (screen) root.dataset.theme = screen;
  else delete root.dataset.theme;
  redraw();
});
look();
