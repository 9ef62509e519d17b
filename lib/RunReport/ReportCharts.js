// ReportCharts.js - charts over time: a canvas whose horizontal axis can be zoomed and moved; the timeline and the memory.

class Chart {
  /// `find(time, y)` gives what is there: {text, kernel, record}, or nothing.
  constructor(canvas, height) {
    this.canvas = canvas;
    this.height = height;
    this.find = () => null;
    this.draw = () => {};
    canvas.style.height = `${height}px`;
    canvas.addEventListener('wheel', event => {
      // A plain wheel scrolls the page.
      if (!event.ctrlKey && !event.metaKey)
        return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 0.8 : 1.25, this.getTime(event.offsetX));
    }, {passive: false});
    canvas.addEventListener('pointerdown', event => {
      this.grip = {x: event.offsetX, begin: this.begin, end: this.end, moved: false};
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', event => this.grip ? this.drag(event) : this.point(event));
    canvas.addEventListener('pointerup', event => {
      const wasMoved = !this.grip || this.grip.moved;
      this.grip = null;
      if (!wasMoved)
        this.click(this.getTime(event.offsetX), event.offsetY);
    });
    canvas.addEventListener('pointercancel', () => { this.grip = null; });
    canvas.addEventListener('pointerleave', () => { get('tooltip').hidden = true; });
    canvas.addEventListener('dblclick', () => this.show(0, this.length));
    canvas.addEventListener('keydown', event => {
      const step = (this.end - this.begin) / 10, middle = (this.begin + this.end) / 2;
      const actions = {
        ArrowLeft: () => this.show(this.begin - step, this.end - step),
        ArrowRight: () => this.show(this.begin + step, this.end + step),
        ArrowUp: () => this.move?.(-1),
        ArrowDown: () => this.move?.(1),
        '+': () => this.zoom(0.8, middle),
        '-': () => this.zoom(1.25, middle),
        Home: () => this.show(0, this.length),
      };
      if (actions[event.key] && (this.move || !event.key.match(/Up|Down/))) {
        event.preventDefault();
        actions[event.key]();
      }
    });
    const buttons = {closer: () => this.zoom(0.5, (this.begin + this.end) / 2), wider: () => this.zoom(2, (this.begin + this.end) / 2),
      all: () => this.show(0, this.length)};
    for (const button of document.querySelectorAll(`[data-chart="${canvas.id}"]`))
      button.addEventListener('click', buttons[button.dataset.action]);
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  /// What there is to see: [0, length), in `unit`.
  setLength(length, unit) {
    this.length = Math.max(length, 1);
    this.unit = unit;
    this.show(0, this.length);
  }
  get margin() { return this.canvas.clientWidth < 600 ? 62 : 96; }
  getWidth() { return this.canvas.clientWidth - this.margin; }
  getTime(x) { return this.begin + (x - this.margin) * (this.end - this.begin) / this.getWidth(); }
  getX(time) { return this.margin + (time - this.begin) * this.getWidth() / (this.end - this.begin); }

  zoom(factor, time) {
    this.show(time - (time - this.begin) * factor, time + (this.end - time) * factor);
  }
  show(begin, end) {
    const span = Math.min(Math.max(end - begin, 10), this.length);
    this.begin = Math.min(Math.max(begin, 0), this.length - span);
    this.end = this.begin + span;
    this.redraw();
  }
  drag(event) {
    const by = (this.grip.x - event.offsetX) * (this.grip.end - this.grip.begin) / this.getWidth();
    this.grip.moved ||= Math.abs(event.offsetX - this.grip.x) > 3;
    this.show(this.grip.begin + by, this.grip.end + by);
  }
  click(time, y) {
    const found = this.find(time, y);
    if (found?.kernel !== undefined)
      select(found.kernel, found.record);
  }
  point(event) {
    const found = event.offsetX < this.margin ? null : this.find(this.getTime(event.offsetX), event.offsetY);
    const tooltip = get('tooltip');
    tooltip.hidden = !found;
    if (!found)
      return;
    tooltip.textContent = found.text;
    const box = tooltip.getBoundingClientRect();
    tooltip.style.left = `${Math.max(4, Math.min(event.clientX + 14, window.innerWidth - box.width - 8))}px`;
    tooltip.style.top = `${event.clientY + 14 + box.height > window.innerHeight ? Math.max(4, event.clientY - box.height - 10) : event.clientY + 14}px`;
  }

  redraw() {
    if (this.end === undefined || this.canvas.clientWidth === 0)
      return;
    const scale = window.devicePixelRatio || 1, margin = this.margin;
    this.canvas.width = this.canvas.clientWidth * scale;
    this.canvas.height = this.height * scale;
    const context = this.canvas.getContext('2d');
    context.scale(scale, scale);
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.save();
    context.beginPath();
    context.rect(margin, 0, this.getWidth(), this.height);
    context.clip();
    this.drawAxis(context);
    this.draw(context);
    context.restore();
    context.fillStyle = getColor('text');
    this.drawLabels?.(context);
  }
  drawAxis(context) {
    const line = getColor('line'), text = getColor('dim');
    for (const time of getTicks(this.begin, this.end, this.getWidth() / 95)) {
      const x = this.getX(time);
      context.fillStyle = line;
      context.fillRect(x, 0, 1, this.height - 16);
      context.fillStyle = text;
      const label = time.toLocaleString('en');
      if (x + 3 + context.measureText(label).width < this.canvas.clientWidth)
        context.fillText(label, x + 3, this.height - 8);
    }
  }
  /// A bar of at least half a pixel, unless it is out of sight.
  fill(context, begin, end, y, height) {
    if (end < this.begin || begin > this.end)
      return false;
    const x = Math.max(this.getX(begin), this.margin - 2), right = Math.min(this.getX(end), this.margin + this.getWidth() + 2);
    context.fillRect(x, y, Math.max(right - x, 0.5), height);
    return true;
  }
}

let timeline, memory;

// ---------------------------------------------------------------------------------------------------------------------
// Timeline
// ---------------------------------------------------------------------------------------------------------------------

const getTrack = line => data.target.clusters > 1 ? `${line.cluster} ${line.engine}` : line.engine;

/// The rows of the timeline: kernels, then the engines of every cluster.
function getTracks() {
  const used = new Set(data.programs.flatMap(program => program.parts.flatMap(part => part.timelines.map(getTrack))));
  const names = ['kernels'];
  for (let cluster = 0; cluster < data.target.clusters; ++cluster)
    for (const engine of ['dmai', 'mxu', 'vpu', 'dmao', 'ctl'])
      if (used.has(getTrack({cluster, engine})))
        names.push(getTrack({cluster, engine}));
  return names;
}

function showTimeline() {
  const parts = []; // {part, program, record, kernel, start}
  for (const program of data.programs)
    for (const part of program.parts)
      for (const line of part.timelines)
        line.decoded = decodeTimeline(line);
  for (const [number, first, start] of data.launches)
    data.programs[number].parts.forEach((part, index) => {
      if (part.end > part.start)
        parts.push({part, program: data.programs[number], record: first + index, kernel: kernelOfRecord[first + index], start});
    });
  if (parts.length === 0) {
    get('timeline').hidden = true;
    return;
  }
  const tracks = getTracks(), rowHeight = data.target.clusters > 2 ? 18 : 24;
  const rowOf = new Map(tracks.map((name, number) => [name, number * rowHeight + 2]));
  timeline = new Chart(get('timeline-chart'), tracks.length * rowHeight + 20);
  const isDim = part => selected >= 0 && part.kernel !== selected;
  timeline.draw = context => {
    const colors = Object.fromEntries(['mxu', 'vpu', 'dmai', 'dmao', 'ctl'].map(engine => [engine, getColor(engine)]));
    for (const it of parts) {
      const {part, kernel, start} = it;
      if (start + part.end < timeline.begin || start + part.start > timeline.end)
        continue;
      const strength = isDim(it) ? 0.3 : 1;
      context.globalAlpha = strength;
      context.fillStyle = colorOf(kernel);
      timeline.fill(context, start + part.start, start + part.end, 2, rowHeight - 4);
      for (const line of part.timelines) {
        context.fillStyle = colors[line.engine];
        for (const {begin, end, busy} of line.decoded) {
          context.globalAlpha = strength * (0.3 + 0.7 * busy / (end - begin));
          timeline.fill(context, start + begin, start + end, rowOf.get(getTrack(line)), rowHeight - 4);
        }
      }
    }
    context.globalAlpha = 1;
    let last = timeline.margin;
    for (const it of parts) {
      const {part, kernel, start} = it;
      const x = Math.max(timeline.getX(start + part.start), timeline.margin, last);
      const right = Math.min(timeline.getX(start + part.end), timeline.margin + timeline.getWidth());
      if (right - x > 45 && !isDim(it)) {
        context.save();
        context.beginPath();
        context.rect(x, 0, right - x - 3, rowHeight);
        context.clip();
        context.fillStyle = '#14181d';
        context.fillText(getKernelName(kernel), x + 3, rowHeight / 2);
        context.restore();
        last = right;
      }
      if (kernel === selected) {
        context.strokeStyle = getColor('text');
        context.lineWidth = 2;
        const left = timeline.getX(start + part.start);
        context.strokeRect(left, 1.5, Math.max(timeline.getX(start + part.end) - left, 1), rowHeight - 3);
      }
    }
  };
  timeline.drawLabels = context => tracks.forEach((name, number) => context.fillText(name, 6, number * rowHeight + rowHeight / 2));
  timeline.find = (time, y) => {
    const track = tracks[Math.floor(y / rowHeight)];
    for (const {part, program, record, kernel, start} of parts) {
      if (time < start + part.start || time >= start + part.end)
        continue;
      const range = (begin, end) => `cycles ${begin.toLocaleString('en')} to ${end.toLocaleString('en')}`;
      const name = `${getKernelName(kernel)} (dispatch ${cell(dispatches, dispatches.rows[record], 'dispatch')})`;
      if (track === 'kernels')
        return {kernel, record, text: `${name}\n${range(start + part.start, start + part.end)}`};
      for (const line of part.timelines) {
        const interval = getTrack(line) === track ? line.decoded.find(({begin, end}) => start + begin <= time && time < start + end) : null;
        if (interval)
          return {kernel, record, text: [`${track}: ${describeInstruction(program, interval)}`, range(start + interval.begin, start + interval.end) +
              `, ${interval.busy.toLocaleString('en')} busy`, name, `tile: ${cell(kernels, kernels.rows[kernel], 'tile') || 'unknown'}`].join('\n')};
      }
    }
    return null;
  };
  // Up and down go from kernel to kernel, as time goes.
  timeline.move = step => {
    const order = [...new Set(parts.map(it => it.kernel))], at = order.indexOf(selected);
    select(order[at < 0 ? 0 : Math.min(Math.max(at + step, 0), order.length - 1)]);
  };
  const last = data.launches.at(-1);
  timeline.setLength(last[2] + data.programs[last[0]].cycles, 'cycles');
  timeline.canvas.setAttribute('aria-label', `Timeline of ${kernels.rows.length} kernels and of ${tracks.length - 1} engines over ` +
      `${timeline.length.toLocaleString('en')} cycles. Plus and minus zoom, left and right move, up and down select a kernel. The table of kernels has the numbers.`);
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

const arenaChoice = 'arena';

/// What there is to see of a memory: its size, how long, and rectangles of bytes over time.
function getMemoryMap(program, choice) {
  if (choice === arenaChoice)
    return {bytes: data.arena.bytes, length: data.arena.tasks, unit: 'tasks', uses: data.arena.buffers.map(
        ([name, offset, bytes, begin, end], number) =>
            ({low: offset, high: offset + bytes, begin, end, what: name, color: colorOf(number)}))};
  const [cluster, space] = choice.split(' ');
  const first = data.launches.find(([number]) => number === program)?.[1];
  const uses = [];
  const places = data.programs[program].memoryPlaces ?? [];
  for (const [number, [ofCluster, ofSpace, low, high, begin, end, part, operand]] of data.programs[program].memory.entries())
    if (ofCluster === Number(cluster) && ofSpace === space) {
      const record = first === undefined ? undefined : first + part, kernel = kernelOfRecord[record];
      const what = places[number] ? `${places[number]}: ${operand}` : operand;
      uses.push({low, high, begin, end, what, record, kernel, color: colorOf(kernel ?? 0)});
    }
  return {bytes: data.target[`${space}Bytes`], length: data.programs[program].cycles, unit: 'cycles', uses};
}

function showMemory() {
  const height = 300, programs = get('program-choice'), choices = get('memory-choice'), step = get('memory-step');
  data.programs.forEach((program, number) => programs.append(make('option', {value: number}, `${number}: ${program.name}`)));
  if (data.programs.length > 0)
    for (let cluster = 0; cluster < data.target.clusters; ++cluster)
      for (const [space, name] of [['sram', 'SRAM'], ['acc', 'Accumulators']])
        choices.append(make('option', {value: `${cluster} ${space}`}, data.target.clusters > 1 ? `${name} of cluster ${cluster}` : name));
  if (data.arena)
    choices.append(make('option', {value: arenaChoice}, 'DRAM, intermediate tensors'));
  if (choices.options.length === 0) {
    get('memory').hidden = true;
    return;
  }
  memory = new Chart(get('memory-chart'), 320);
  let map;
  const toY = byte => height - byte * height / Math.max(map.bytes, 1);
  memory.draw = context => {
    const paper = getColor('paper');
    for (const use of map.uses) {
      context.fillStyle = use.color;
      context.globalAlpha = selected >= 0 && use.kernel !== selected ? 0.3 : 0.9;
      const top = toY(use.high), size = Math.max(toY(use.low) - top, 1);
      if (memory.fill(context, use.begin, use.end, top, size) && size > 3) {
        context.globalAlpha = 1;
        context.fillStyle = paper;
        context.fillRect(memory.getX(use.end) - 0.5, top, 0.5, size);
        context.fillRect(Math.max(memory.getX(use.begin), memory.margin), top, memory.getX(use.end) - memory.getX(use.begin), 0.5);
      }
    }
    context.globalAlpha = 1;
    context.fillStyle = getColor('text');
    context.fillRect(memory.getX(Number(step.value)), 0, 2, height);
  };
  memory.drawLabels = context => {
    for (let part = 0; part <= 4; ++part)
      context.fillText(Math.round(map.bytes * part / 4).toLocaleString('en'), 4, Math.min(Math.max(toY(map.bytes * part / 4), 8), height - 6));
  };
  const describeUse = use => use.kernel === undefined ? '' : getKernelName(use.kernel);
  memory.find = (time, y) => {
    const byte = (height - y) * map.bytes / height;
    // The smallest one tells most.
    const [use] = getUsesAt(map.uses, time).filter(use => use.low <= byte && byte < use.high).sort((a, b) => (a.high - a.low) - (b.high - b.low));
    return use ? {record: use.record, kernel: use.kernel, text: `${use.what}\nbytes ${use.low.toLocaleString('en')} to ${use.high.toLocaleString('en')}, ` +
        `${map.unit} ${use.begin.toLocaleString('en')} to ${use.end.toLocaleString('en')}\n${describeUse(use)}`} : null;
  };
  memory.click = (time, y) => {
    step.value = Math.floor(time);
    showStep();
    Chart.prototype.click.call(memory, time, y);
  };
  /// A table of what is there at the chosen time.
  function showStep() {
    const time = Number(step.value), uses = getUsesAt(map.uses, time), most = 40;
    const table = {columns: ['from_byte', 'to_byte', 'bytes', 'tensor', 'kernel_name', 'from', 'until'], isText: [false, false, false, true, true, false, false], totals: [],
      rows: uses.slice(0, most).map(use => [use.low, use.high, use.high - use.low, use.what, describeUse(use), use.begin, use.end].map(String))};
    get('memory-at').textContent = `${map.unit === 'tasks' ? 'Task' : 'Cycle'} ${time.toLocaleString('en')}: ${uses.length} tensors` +
        (uses.length > most ? `, the first ${most} of which are` : '') + (uses.length > 0 ? ' here.' : '.');
    step.setAttribute('aria-valuetext', `${map.unit === 'tasks' ? 'task' : 'cycle'} ${time}`);
    showTable(get('memory-table'), table, number => uses[number].kernel !== undefined && select(uses[number].kernel, uses[number].record));
    get('memory-table').closest('.wide').hidden = uses.length === 0;
    memory.redraw();
  }
  const update = () => {
    map = getMemoryMap(Number(programs.value), choices.value);
    programs.disabled = choices.value === arenaChoice;
    get('memory-hint').textContent = `${map.uses.length.toLocaleString('en')} tensors: bytes from below to above, ${map.unit} from left to right.`;
    memory.canvas.setAttribute('aria-label', `${choices.selectedOptions[0].textContent}: ${map.uses.length} tensors over ${map.length.toLocaleString('en')} ` +
        `${map.unit}. The table below lists those of the chosen step.`);
    step.max = Math.max(map.length - 1, 0);
    step.step = 1;
    step.value = map.uses.length > 0 ? Math.floor((map.uses[0].begin + map.uses[0].end) / 2) : 0;
    memory.setLength(map.length, map.unit);
    showStep();
  };
  programs.addEventListener('change', update);
  choices.addEventListener('change', update);
  step.addEventListener('input', showStep);
  // From one moment at which something comes or goes to the next.
  const go = direction => {
    const now = Number(step.value), times = [...new Set(map.uses.flatMap(use => [use.begin, use.end]))].sort((a, b) => a - b);
    const next = direction > 0 ? times.find(time => time > now) : times.findLast(time => time < now);
    if (next !== undefined)
      step.value = next;
    showStep();
  };
  get('memory-before').addEventListener('click', () => go(-1));
  get('memory-after').addEventListener('click', () => go(1));
  update();
}
