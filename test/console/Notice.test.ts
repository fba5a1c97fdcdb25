import { expect, it, onTestFinished, vi } from "vitest"
import { Notice } from "../../console/shell/Notice.ts"

it("A notice is shown for two seconds, also one that follows another", () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const notice = new Notice()
  notice.say("Saved")
  vi.advanceTimersByTime(1_500)
  notice.say("Link copied")
  vi.advanceTimersByTime(1_999)
  expect(notice.text.value).toBe("Link copied")
  vi.advanceTimersByTime(1)
  expect(notice.text.value).toBe("")
})
