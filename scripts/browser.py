"""A headless Chromium over its debugging pipe, for scripts that look at or use the page of a report. Needs nothing but Python and Debian's
chromium."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


class Browser:
    """A tab. `console` gets what pages write and what they throw; use it in a `with`."""

    def __enter__(self):
        chromium = shutil.which("chromium") or sys.exit("chromium is missing: install it from Debian")
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self.output = os.pipe()
        self.input, from_child = os.pipe()

        def place():
            # Others first, so that none is overwritten.
            high = [os.dup2(fd, 100 + i) for i, fd in enumerate((to_child, from_child))]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             f"--user-data-dir={self.home.name}/profile", "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=place,
            env=os.environ | {"HOME": self.home.name})
        os.close(to_child)
        os.close(from_child)
        self.number, self.rest, self.session, self.console, self.events = 0, b"", None, [], []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        os.close(self.output)
        os.close(self.input)
        self.process.kill()
        self.process.wait()
        self.home.cleanup()

    def read(self):
        while b"\0" not in self.rest:
            part = os.read(self.input, 1 << 16)
            if not part:
                raise RuntimeError("chromium has ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(arg.get("value", arg.get("description"))) for arg in params["args"]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.console.append(params["entry"]["text"])
        elif method:
            self.events.append(method)
        return message

    def send(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        text = json.dumps(request).encode() + b"\0"
        while text:
            text = text[os.write(self.output, text):]
        while (answer := self.read()).get("id") != self.number:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, page, width=1366, height=768, dark=False, phone=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                                                          {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.events.clear()
        self.send("Page.navigate", url=pathlib.Path(page).resolve().as_uri())
        while "Page.loadEventFired" not in self.events:
            self.read()

    def evaluate(self, expression):
        """The value of an expression of JavaScript, in which `await` may be."""
        result = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

    def press(self, key, shift=False):
        """As a person presses a key."""
        text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
        common = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": self.KEYS.get(key, 0), "modifiers": 8 if shift else 0}
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def move(self, x, y):
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def wheel(self, x, y, delta, ctrl=False):
        self.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta, modifiers=2 if ctrl else 0)

    def screenshot(self, path):
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        pathlib.Path(path).write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
