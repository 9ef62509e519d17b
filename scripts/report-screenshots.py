#!/usr/bin/env python3
"""report-screenshots.py <directory of --report> <directory for images>: takes the screenshots of docs/reports.md.

docs/images is made of a report of ResNet-50:

  npu-run --timing-only --report=report light_resnet50.onnx && ./scripts/report-screenshots.py report docs/images
"""

import pathlib
import sys

from browser import Browser


def main():
    page, images = pathlib.Path(sys.argv[1]) / "report.html", pathlib.Path(sys.argv[2])
    images.mkdir(parents=True, exist_ok=True)
    with Browser() as browser:
        browser.open(page)
        browser.screenshot(images / "report.png")
        browser.evaluate("select(3); get('kernels').scrollIntoView(); kernelLines[3].querySelector('.toggle').click(); "
                         "get('kernel-table').closest('.wide').scrollTo(0, kernelLines[3].offsetTop - 60)")
        browser.screenshot(images / "report-details.png")
        browser.open(page, dark=True)
        browser.evaluate("select(3); get('network').scrollIntoView()")
        browser.screenshot(images / "report-dark.png")
        browser.open(page, 390, 844, phone=True)
        browser.screenshot(images / "report-phone.png")
    assert not browser.console, browser.console
    print(f"4 images in {images}")


main()
