// ReportGraph.js - the network as a graph of its kernels, and the roofline.

// ---------------------------------------------------------------------------------------------------------------------
// Network
// ---------------------------------------------------------------------------------------------------------------------

const graphNodes = new Map(); // of kernels, by row

function showGraph() {
  const graph = layOut(kernels, data.edges ?? []);
  if (graph.nodes.length === 0) {
    get('network').hidden = true;
    return;
  }
  const width = 172, height = 40, gapX = 34, gapY = 14, edge = 8;
  const x = node => edge + node.layer * (width + gapX), y = node => edge + node.place * (height + gapY);
  const svg = get('network-chart');
  const size = [2 * edge + graph.layers * (width + gapX) - gapX, 2 * edge + graph.places * (height + gapY) - gapY];
  svg.setAttribute('viewBox', `0 0 ${size[0]} ${size[1]}`);
  svg.style.width = `${size[0]}px`;
  svg.style.height = `${size[1]}px`;
  svg.setAttribute('aria-label', `The network: ${graph.nodes.length} kernels and ${graph.edges.length} edges. Arrows go from kernel to kernel, Enter selects one.`);
  for (const [from, to] of graph.edges) {
    const a = graph.nodes[from], b = graph.nodes[to], x1 = x(a) + width, y1 = y(a) + height / 2, x2 = x(b), y2 = y(b) + height / 2;
    // Around what is between.
    const bend = b.layer - a.layer > 1 && a.place === b.place ? height / 2 + gapY / 2 : 0;
    draw(svg, 'path', {class: 'edge', d: bend === 0 ? `M${x1} ${y1} C${x1 + 20} ${y1} ${x2 - 20} ${y2} ${x2} ${y2}` :
        `M${x1} ${y1} C${x1 + 20} ${y1} ${x1 + 8} ${y1 + bend} ${x1 + 30} ${y1 + bend} H${x2 - 30} C${x2 - 8} ${y1 + bend} ${x2 - 20} ${y2} ${x2} ${y2}`});
  }
  const elements = graph.nodes.map(node => {
    const row = kernels.rows[node.row], name = getKernelName(node.row);
    const share = cell(kernels, row, 'network_share_percent');
    const below = cell(kernels, row, 'placement') === 'host' ? 'on the host' :
        `${formatCell('cycles', cell(kernels, row, 'cycles'))} cycles, ${formatCell('network_share_percent', share)}`;
    const group = draw(svg, 'g', {class: 'node', role: 'button', 'aria-label': `${name}, ${below}`, 'aria-pressed': 'false'});
    draw(group, 'title', {}, `${name}\n${below}`);
    draw(group, 'rect', {x: x(node), y: y(node), width, height, rx: 4, fill: colorOf(node.row)});
    const cut = text => text.length > 24 ? `${text.slice(0, 23)}…` : text;
    draw(group, 'text', {x: x(node) + 7, y: y(node) + 16}, cut(name));
    draw(group, 'text', {x: x(node) + 7, y: y(node) + 31, class: 'below'}, below);
    graphNodes.set(node.row, group);
    return group;
  });
  rove(elements, number => select(graph.nodes[number].row));
}

// ---------------------------------------------------------------------------------------------------------------------
// Roofline
// ---------------------------------------------------------------------------------------------------------------------

/// A point per kernel. One whose operands are loaded while the array works for another is as fast as DRAM brings them, at most.
function getRooflinePoints() {
  const points = [];
  kernels.rows.forEach((row, kernel) => {
    const number = name => Number(cell(kernels, row, name));
    const bytes = number('dram_bytes_read') + number('dram_bytes_written');
    if (cell(kernels, row, 'placement') === 'npu' && number('macs') > 0 && number('cycles') > 0 && bytes > 0)
      points.push({kernel, record: data.kernelRecords[kernel][0], peak: number('peak_macs_per_cycle'), x: number('macs') / bytes,
        y: number('macs') / Math.max(number('cycles'), bytes / data.target.dramBytesPerCycle)});
  });
  return points;
}

const rooflineDots = new Map(); // of kernels, by row

function showRoofline() {
  const points = getRooflinePoints(), bandwidth = data.target.dramBytesPerCycle;
  if (points.length === 0) {
    get('roofline').hidden = true;
    return;
  }
  get('roofline-hint').textContent = `${points.length} kernels with multiply-accumulate operations, by MAC per byte of DRAM traffic and MAC per ` +
      `cycle. Roofs: ${bandwidth} bytes per cycle, and the array's peak rates for the operands.`;
  const svg = get('roofline-chart');
  svg.setAttribute('aria-label', `Roofline of ${points.length} kernels. Arrows go from kernel to kernel, Enter selects one.`);
  const peaks = [...new Set(points.map(point => point.peak))].sort((a, b) => a - b);
  const xs = points.map(p => p.x).concat(peaks.map(peak => peak / bandwidth));
  const low = 10 ** Math.floor(Math.log10(Math.min(...xs))), high = 10 ** Math.ceil(Math.log10(Math.max(...xs)) + 0.01);
  const bottom = 10 ** Math.floor(Math.log10(Math.min(...points.map(p => p.y))));
  const top = 10 ** Math.ceil(Math.log10(Math.max(...peaks, ...points.map(p => p.y))) + 0.01);
  const scale = (value, from, to, begin, end) => begin + Math.log(value / from) / Math.log(to / from) * (end - begin);
  const x = value => scale(value, low, high, 60, 880), y = value => scale(value, bottom, top, 380, 15);
  for (let value = low; value <= high * 1.001; value *= 10) {
    draw(svg, 'line', {x1: x(value), x2: x(value), y1: 15, y2: 380, class: 'grid'});
    draw(svg, 'text', {x: x(value), y: 395, 'text-anchor': 'middle'}, Number(value.toPrecision(3)).toLocaleString('en'));
  }
  for (let value = bottom; value <= top * 1.001; value *= 10) {
    draw(svg, 'line', {x1: 60, x2: 880, y1: y(value), y2: y(value), class: 'grid'});
    draw(svg, 'text', {x: 54, y: y(value) + 4, 'text-anchor': 'end'}, Number(value.toPrecision(3)).toLocaleString('en'));
  }
  draw(svg, 'text', {x: 470, y: 413, 'text-anchor': 'middle'}, 'MAC / byte');
  draw(svg, 'text', {x: 14, y: 200, transform: 'rotate(-90 14 200)', 'text-anchor': 'middle'}, 'MAC / cycle');
  for (const peak of peaks) {
    const ridge = peak / bandwidth, left = Math.max(low, bottom / bandwidth);
    draw(svg, 'polyline', {class: 'roof', 'data-peak': peak,
      points: `${x(left)},${y(left * bandwidth)} ${x(ridge)},${y(peak)} ${x(high)},${y(peak)}`});
    draw(svg, 'text', {x: 876, y: y(peak) - 5, 'text-anchor': 'end'}, `${peak.toLocaleString('en')} MAC/cycle`);
  }
  const dots = points.map(point => {
    const text = `${getKernelName(point.kernel)}: ${point.x.toFixed(2)} MAC/byte, ${point.y.toFixed(2)} MAC/cycle`;
    const dot = draw(svg, 'circle', {cx: x(point.x).toFixed(1), cy: y(point.y).toFixed(1), r: 5, fill: colorOf(point.kernel), role: 'button',
      'aria-label': text, 'aria-pressed': 'false', 'data-record': point.record, 'data-x': point.x, 'data-y': point.y});
    draw(dot, 'title', {}, text);
    rooflineDots.set(point.kernel, dot);
    return dot;
  });
  rove(dots, number => select(points[number].kernel));
}
