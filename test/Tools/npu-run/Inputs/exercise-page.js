// exercise-page.js - uses a report's page as a reader would; check-page.py adds it to a copy. What fails is an error of the page.
'use strict';

function expect(condition, what) {
  if (!condition)
    throw new Error('expected ' + what);
}
const lines = id => [...get(id).tBodies[0].rows].filter(row => !row.hidden && !row.classList.contains('member'));
const press = (chart, key) => chart.canvas.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
const point = (chart, type, x, y) => {
  const box = chart.canvas.getBoundingClientRect();
  chart.canvas.dispatchEvent(new PointerEvent(type, {pointerId: 1, clientX: box.left + 1 + x, clientY: box.top + 1 + y, bubbles: true}));
};
HTMLElement.prototype.setPointerCapture = () => {}; // there is no pointer here

// Columns sort in both directions, numbers by size and the largest first, and say so.
get('dispatch-table').closest('details').open = true;
for (const id of ['kernel-table', 'dispatch-table']) {
  if (!get(id).tHead)
    continue;
  const head = get(id).tHead.querySelector('[data-column=cycles]');
  head.querySelector('button').click();
  for (const [direction, name] of [[-1, 'descending'], [1, 'ascending']]) {
    const cycles = lines(id).map(row => row.cells[head.cellIndex].dataset.value).filter(text => text !== '').map(Number);
    expect(cycles.every((value, i) => i === 0 || direction * (value - cycles[i - 1]) >= 0), 'rows sorted by cycles');
    expect(head.getAttribute('aria-sort') === name, `a column that says that it is ${name}`);
    head.querySelector('button').click();
  }
}

if (kernels.rows.length > 0) {
  // The filter hides rows without the word, and totals are of what is shown.
  const filter = get('filter'), all = lines('kernel-table').length;
  const enter = text => {
    filter.value = text;
    filter.dispatchEvent(new Event('input'));
  };
  const cycles = get('kernel-table').tHead.querySelector('[data-column=cycles]').cellIndex;
  const getTotal = () => get('kernel-table').tFoot.rows[0].cells[cycles].dataset.value;
  const total = getTotal();
  enter('no kernel has this');
  expect(lines('kernel-table').length === 0 && getTotal() === '', 'no rows');
  const limit = lines('kernel-table').length;
  enter('cycles>=0');
  const sum = lines('kernel-table').reduce((sum, row) => sum + Number(row.cells[cycles].dataset.value), 0);
  expect(limit === 0 && (all > lines('kernel-table').length || all === kernels.rows.length), 'rows with cycles');
  if (kernels.totals.length > 0 && lines('kernel-table').length > 0 && kernels.rows.length < 1000)
    expect(sum === Number(getTotal()), 'totals of the rows that are shown');
  enter('');
  expect(lines('kernel-table').length === all && getTotal() === total, 'all rows');

  // A kernel opens to its dispatches, and a click on it lists everything about them, as text.
  const line = lines('kernel-table')[all - 1], kernel = kernelLines.indexOf(line);
  const toggle = line.querySelector('.toggle');
  toggle.click();
  expect(toggle.getAttribute('aria-expanded') === 'true' && memberLines[kernel].every(row => !row.hidden), 'the dispatches of a kernel');
  line.click();
  expect(line.classList.contains('selected'), 'a selected kernel');
  for (const record of data.kernelRecords[kernel])
    for (const text of dispatches.rows[record])
      expect(text === '' || [...get('detail-body').querySelectorAll('dd')].some(dd => dd.dataset.value === text), text);
  get('detail-close').click();
  expect(selected === -1 && !line.classList.contains('selected'), 'nothing selected');
}

// Both charts zoom, move, and show what is under the pointer, in every choice of what to show.
for (const chart of [timeline, memory]) {
  if (!chart || chart.length <= 20)
    continue;
  press(chart, '+');
  expect(chart.end - chart.begin < chart.length, 'a closer view');
  press(chart, 'ArrowRight');
  expect(chart.begin > 0, 'a view further on');
  point(chart, 'pointerdown', 300, 10);
  point(chart, 'pointermove', 1300, 10);
  point(chart, 'pointerup', 1300, 10);
  expect(chart.begin < 1e-6 * chart.length, 'a view dragged to the start');
  press(chart, 'Home');
  expect(chart.end - chart.begin === chart.length, 'everything');
  for (let y = 5; y < chart.height; y += 20)
    for (let x = 120; x < chart.canvas.clientWidth; x += 60)
      point(chart, 'pointermove', x, y);
}
for (const choice of get('memory-choice').options)
  for (const program of get('program-choice').options) {
    get('memory-choice').value = choice.value;
    get('program-choice').value = program.value;
    get('memory-choice').dispatchEvent(new Event('change'));
    for (let y = 5; y < memory.height; y += 40)
      for (let x = 120; x < memory.canvas.clientWidth; x += 120)
        point(memory, 'pointermove', x, y);
    get('memory-after').click();
  }

// A bar of an engine says what its instruction is and waits for; a click in the timeline selects.
if (timeline) {
  const [number, first, start] = data.launches.find(([number]) => data.programs[number].parts[0].end > 0);
  const part = data.programs[number].parts.find(part => part.end > part.start), line = part.timelines[0];
  const {begin, end} = line.decoded[0];
  const row = getTracks().indexOf(getTrack(line)), height = data.target.clusters > 2 ? 18 : 24;
  const found = timeline.find(start + (begin + end) / 2, row * height + 8);
  expect(found && /(dma|mxu|vpu|ctl|sync)\.?\w*/.test(found.text) && found.text.includes('waits for'), `an instruction, found ${found?.text}`);
  const x = timeline.getX(start + (part.start + part.end) / 2);
  point(timeline, 'pointerdown', x, 10);
  point(timeline, 'pointerup', x, 10);
  expect(selected >= 0, 'a kernel that is selected');
  const before = selected;
  press(timeline, 'ArrowDown');
  press(timeline, 'ArrowUp');
  expect(kernels.rows.length === 1 || selected >= 0 && before >= 0, 'kernels by keys');
}

// So does a node of the network.
const [node] = graphNodes;
if (node) {
  node[1].dispatchEvent(new MouseEvent('click', {bubbles: true}));
  expect(selected === node[0] && node[1].getAttribute('aria-pressed') === 'true', 'the kernel of a node');
}
document.body.dataset.exercised = 'yes';
