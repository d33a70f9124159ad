/*
 * Runs in the page before its own scripts. What the browser itself measures (PerformanceObserver) is gathered in `window.bench`,
 * where the bench asks for it. Times are milliseconds since the navigation began.
 */
;(() => {
  const seen = { firstPost: 0, largestPaint: 0, shifted: 0, longTasks: [], keys: [] }
  const observe = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options })
  observe('largest-contentful-paint', ({ startTime }) => {
    seen.largestPaint = startTime
  })
  observe('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) seen.shifted += value
  })
  observe('longtask', ({ startTime, duration }) => seen.longTasks.push({ startTime, endTime: startTime + duration }))

  const nextFrame = () => new Promise(requestAnimationFrame)
  /** After the frame in which something changed has been handed to the screen. */
  const painted = async () => {
    await nextFrame()
    await new Promise((done) => setTimeout(done))
    return performance.now()
  }
  // Not the browser's own event timing: without a screen, Chromium tells when a frame was shown only after the last key.
  addEventListener('keydown', ({ timeStamp }) => void painted().then((now) => seen.keys.push(now - timeStamp)), true)
  new MutationObserver((_changes, observer) => {
    if (seen.firstPost || !document.querySelector('main article')) return
    observer.disconnect()
    painted().then((now) => {
      seen.firstPost = now
    })
  }).observe(document, { childList: true, subtree: true })

  /** The first post is there, and half a second without a long task has begun. 0 as long as that is not so. */
  const usableAt = () => (seen.firstPost ? quietAfter(seen.firstPost) : 0)

  const patienceMs = 20_000

  /** Half a second without a long task has begun, after this time. 0 as long as that is not so. */
  const quietAfter = (start) => {
    const quietMs = 500
    let at = start
    for (const { startTime, endTime } of seen.longTasks) if (startTime < at + quietMs) at = Math.max(at, endTime)
    return performance.now() > at + quietMs ? at : 0
  }

  /** Asked once and answered when it is so: each question from outside would cost the page time while it loads. */
  const untilUsable = async () => {
    while (usableAt() === 0) {
      if (performance.now() > 3 * patienceMs) throw new Error('no first post came to rest')
      await new Promise((done) => setTimeout(done, 100))
    }
    return usableAt()
  }

  /** The app has taken over the page that the server rendered, and its pictures are there. */
  const untilTakenOver = async () => {
    const isRendered = () => document.querySelector('#root[data-visitor-page]') !== null
    while (document.readyState === 'loading') await nextFrame()
    if (!isRendered()) throw new Error('the server has rendered no page')
    while (isRendered() || document.readyState !== 'complete') {
      if (performance.now() > 3 * patienceMs) throw new Error('the app did not take over')
      await new Promise((done) => setTimeout(done, 50))
    }
    const takenOverAt = performance.now()
    let usable = 0
    while (usable === 0) {
      await new Promise((done) => setTimeout(done, 100))
      usable = quietAfter(takenOverAt)
    }
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    return {
      usable,
      largestPaint: seen.largestPaint,
      shifted: seen.shifted,
      bytes: entries.reduce((sum, { transferSize }) => sum + transferSize, 0),
      requests: entries.length,
    }
  }

  /** Follows a link of the page. @returns milliseconds from the click to the frame that shows the other screen. */
  const follow = async (path) => {
    const link = [...document.querySelectorAll(`a[href="${path}"]`)].find((one) => one.checkVisibility())
    if (!link) throw new Error(`no link to ${path} is visible`)
    // The address changes before the screen does: what still stands there is the old one.
    const left = document.querySelector('main h1')
    const clickedAt = performance.now()
    link.click()
    const isThere = () => {
      const heading = document.querySelector('main h1')
      const isAnother = heading !== null && heading !== left
      const isLoading = document.querySelector('main [role="status"][aria-label="Loading…"]') !== null
      return location.pathname === path && isAnother && !isLoading
    }
    while (!isThere()) {
      if (performance.now() - clickedAt > patienceMs) throw new Error(`${path} did not come`)
      await nextFrame()
    }
    return (await painted()) - clickedAt
  }

  /** Scrolls down by `step` pixels a frame until the list says that this is its end. @returns the length of each frame, in ms. */
  const scrollToEnd = async (step, endText) => {
    const frames = []
    let before = await nextFrame()
    let movedAt = before
    for (let isAtEnd = false; !isAtEnd; ) {
      window.scrollBy(0, step)
      const now = await nextFrame()
      frames.push(now - before)
      before = now
      const stands = document.documentElement.scrollHeight - window.scrollY - window.innerHeight < 2
      if (!stands) movedAt = now
      if (now - movedAt > patienceMs) throw new Error('the next page did not come')
      isAtEnd = stands && document.querySelector('main').textContent.includes(endText)
    }
    return frames
  }

  /** A link to a post in the middle of the window, and where it stands. */
  const postInSight = () => {
    for (const link of document.querySelectorAll('main article a[href^="/post/"]')) {
      const { top, bottom } = link.getBoundingClientRect()
      if (top > 150 && bottom < window.innerHeight - 150) return { href: link.getAttribute('href'), top }
    }
  }
  const topOf = (href) => document.querySelector(`main article a[href="${href}"]`)?.getBoundingClientRect().top

  window.bench = { seen, untilUsable, untilTakenOver, follow, scrollToEnd, postInSight, topOf }
})()
