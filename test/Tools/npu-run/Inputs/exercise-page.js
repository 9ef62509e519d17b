// exercise-page.js - uses a report's page as a reader would; check-page.py adds it to a copy. What fails is an error of the page.
'use strict';

function expect(condition, what) {
  if (!condition)
    throw new Error('expected ' + what);
}
const getCells = column => [...get('dispatch-table').tBodies[0].rows].filter(row => !row.hidden)
    .map(row => row.cells[column].textContent);
const press = (chart, key) => chart.canvas.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
const point = (chart, type, x, y) => {
  const box = chart.canvas.getBoundingClientRect();
  chart.canvas.dispatchEvent(new PointerEvent(type, {pointerId: 1, clientX: box.left + 1 + x, clientY: box.top + 1 + y, bubbles: true}));
};
HTMLElement.prototype.setPointerCapture = () => {}; // there is no pointer here

// Columns sort in both directions, numbers by size, and back.
const heads = [...get('dispatch-table').tHead.rows[0].cells];
const cyclesColumn = heads.findIndex(head => head.textContent === 'cycles');
for (const direction of [1, -1]) {
  heads[cyclesColumn].click();
  const cycles = getCells(cyclesColumn).filter(text => text !== '').map(Number);
  expect(cycles.every((value, i) => i === 0 || direction * (value - cycles[i - 1]) >= 0), 'rows sorted by cycles');
}
heads[0].click();

// The filter hides rows without the word.
const filter = get('filter'), all = getCells(0).length;
filter.value = 'no dispatch has this';
filter.dispatchEvent(new Event('input'));
expect(getCells(0).length === 0, 'no rows');
filter.value = '';
filter.dispatchEvent(new Event('input'));
expect(getCells(0).length === all, 'all rows');

// A click on a row lists everything about the dispatch, as text.
const row = get('dispatch-table').tBodies[0].rows[all - 1];
row.click();
expect(row.classList.contains('selected') && !get('detail').hidden, 'a selected dispatch');
for (const text of dispatches.rows[all - 1])
  expect(get('detail').textContent.includes(text), text);

// Both charts zoom, move, and show what is under the pointer, in every choice of what to show.
for (const chart of [timeline, memory]) {
  if (chart.canvas.hidden || chart.length <= 20)
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
  }

// A click in the timeline selects what is there.
if (data.launches.length > 0) {
  const [number, first, start] = data.launches[0], part = data.programs[number].parts[0];
  const x = timeline.getX(start + (part.start + part.end) / 2);
  point(timeline, 'pointerdown', x, 10);
  point(timeline, 'pointerup', x, 10);
  expect(dispatchLines[first].classList.contains('selected'), 'the first dispatch');
}
document.body.dataset.exercised = 'yes';
