"""use-page.py <report directory>: uses report.html with the keyboard only, and checks that everybody can: every control has a name, text
has contrast, images have texts in their place, tables have heads, nothing is wider than a phone. Light and dark, large and small."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "scripts"))
from browser import Browser

page = pathlib.Path(sys.argv[1]) / "report.html"

CHECK = r"""(() => {
  const found = [], isSeen = element => element.getClientRects().length > 0;
  const show = element => `<${element.localName} id="${element.id}" class="${element.getAttribute('class') ?? ''}">`;
  const nameOf = element => element.getAttribute('aria-label') || [...(element.labels ?? [])].map(label => label.textContent).join('') ||
      (element.matches('input, select, canvas, svg') ? '' : element.textContent);
  for (const element of document.querySelectorAll('a, button, input, select, summary, canvas, svg, [role=button], [role=region], [tabindex]'))
    if (isSeen(element) && !nameOf(element).trim())
      found.push(`${show(element)} has no name`);
  for (const element of document.querySelectorAll('[tabindex]'))
    if (Number(element.getAttribute('tabindex')) > 0)
      found.push(`${show(element)} has a tabindex of its own`);
  for (const element of document.querySelectorAll('th'))
    if (!['col', 'row'].includes(element.getAttribute('scope')))
      found.push(`${show(element)} has no scope`);
  for (const element of document.querySelectorAll('thead th'))
    if (!element.hasAttribute('aria-sort') || !element.querySelector('button'))
      found.push(`${show(element)} cannot be sorted by keys`);
  for (const element of document.querySelectorAll('table'))
    if (!element.querySelector('caption'))
      found.push(`${show(element)} has no caption`);
  const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
  if (new Set(ids).size !== ids.length)
    found.push('ids are not unique');
  if (document.documentElement.scrollWidth > window.innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} wide, of ${window.innerWidth}`);

  // Contrast, as WCAG 2 defines it.
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const parse = color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
  const light = color => {
    const [r, g, b] = color.map(value => value / 255).map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const getGround = element => {
    const layers = [];
    for (let at = element; at; at = at.parentElement)
      layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !isSeen(element) || element.matches('script, style, title, .unseen'))
      continue;
    const isDrawn = element instanceof SVGElement, rect = isDrawn && element.closest('.node')?.querySelector('rect');
    const ground = rect ? parse(getComputedStyle(rect).fill).slice(0, 3) : getGround(element);
    const color = over(parse(isDrawn ? getComputedStyle(element).fill : getComputedStyle(element).color), ground);
    const [a, b] = [light(color), light(ground)].sort((x, y) => y - x), contrast = (a + 0.05) / (b + 0.05);
    ++count;
    if (contrast < 4.5)
      found.push(`${show(element)} '${node.data.trim().slice(0, 30)}' has a contrast of ${contrast.toFixed(2)}`);
  }
  return {found: [...new Set(found)].slice(0, 20), count};
})()"""

WHERE = """(() => {
  const element = document.activeElement;
  element.scrollIntoView({block: 'nearest'});
  return element.getAttribute('aria-label') || element.id || element.textContent.slice(0, 40);
})()"""


def expect(condition, what):
    if not condition:
        sys.exit(f"expected {what}")


def check(browser, what):
    result = browser.evaluate(CHECK)
    expect(not result["found"], f"{what}: no faults, found\n" + "\n".join(result["found"]))
    return result["count"]


def go_to(browser, expression, limit=400):
    """With the tabulator."""
    for _ in range(limit):
        if browser.evaluate(f"Boolean(document.activeElement && ({expression}))"):
            return
        browser.press("Tab")
    sys.exit(f"expected a way with the tabulator to {expression}, found none")


def use_keys(browser):
    is_at = "document.activeElement"
    # A column is sorted, and says so.
    go_to(browser, f"{is_at}.closest('th[data-column=cycles]')")
    browser.press("Enter")
    expect(browser.evaluate(f"{is_at}.closest('th').getAttribute('aria-sort')") == "descending", "a column sorted by Enter, most first")
    browser.press(" ")
    expect(browser.evaluate(f"{is_at}.closest('th').getAttribute('aria-sort')") == "ascending", "a column sorted by space, least first")
    # A kernel opens, and is selected.
    go_to(browser, f"{is_at}.matches('#kernel-table .toggle')")
    browser.press("Enter")
    expect(browser.evaluate(f"{is_at}.getAttribute('aria-expanded')") == "true", "a kernel opened by Enter")
    go_to(browser, f"{is_at}.matches('#kernel-table th .name')")
    browser.press("Enter")
    expect(browser.evaluate("selected") >= 0, "a kernel selected by Enter")
    browser.press("Escape")
    expect(browser.evaluate("selected") == -1, "nothing selected after Escape")
    # The network is one stop; arrows go on.
    go_to(browser, f"{is_at}.matches('.node')", 2000)
    before = browser.evaluate(WHERE)
    browser.press("ArrowRight")
    expect(browser.evaluate("graphNodes.size") == 1 or browser.evaluate(WHERE) != before, "another kernel of the network")
    browser.press("Enter")
    expect(browser.evaluate("selected") >= 0, "a kernel of the network selected by Enter")
    go_to(browser, f"{is_at}.id === 'memory-step'")
    expect(browser.evaluate("(data.losses ?? []).every(loss => loss.advice.length === 0) || "
                            "document.querySelectorAll('#losses-list .advice li').length > 0"), "advice below the losses that have it")
    before = browser.evaluate("get('memory-step').value")
    browser.press("ArrowRight")
    expect(browser.evaluate("get('memory-step').value") != before, "the next step of the memory")
    # And back to the timeline.
    browser.evaluate("get('timeline-chart').focus()")
    browser.press("+")
    expect(browser.evaluate("timeline.end - timeline.begin < timeline.length"), "a closer view by +")
    browser.press("ArrowDown")
    browser.press("Home")


def use_wheel(browser):
    # A wheel over a chart scrolls the page, and zooms with Ctrl.
    browser.evaluate("window.scrollTo(0, 0)")
    x, y = browser.evaluate("(() => { const box = get('timeline-chart').getBoundingClientRect(); return [box.left + 200, box.top + 30]; })()")
    browser.wheel(x, y, 200)
    browser.evaluate("new Promise(done => setTimeout(done, 300))")
    expect(browser.evaluate("window.scrollY") > 0 and browser.evaluate("timeline.end - timeline.begin === timeline.length"), "a wheel that scrolls")


counts = []
with Browser() as browser:
    for dark in (False, True):
        for width, height, phone in ((1366, 768, False), (390, 844, True)):
            what = f"{'dark' if dark else 'light'}, {width} wide"
            browser.open(page, width, height, dark, phone)
            counts.append(check(browser, what))
            browser.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; }); get('all-columns').click(); "
                             "kernels.rows.length && select(0)")
            counts.append(check(browser, f"{what}, all open"))
    browser.open(page)
    if browser.evaluate("Boolean(timeline && kernels.rows.length)"):
        use_keys(browser)
        use_wheel(browser)
    expect(not browser.console, f"an empty console, found {browser.console}")
print(f"{len(counts)} views, by keys: no faults")
