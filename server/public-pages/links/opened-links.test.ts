import { describe, expect, it } from 'vitest'
import { isOwnBrowser, rememberOpened } from './opened-links.ts'

const day = 86_400
const now = 1_800_000_000
const value = (header: string | undefined, code = 'aaaaaaaa', at = now) =>
  rememberOpened(header, code, at, false).split(';', 1)[0]

describe('the links that a browser has opened', () => {
  it('are kept once a day each, in their order, for 30 days [LINK-02]', () => {
    expect(value(undefined)).toBe(`opened-links=aaaaaaaa.${now}`)
    expect(value(`opened-links=aaaaaaaa.${now - 60}`)).toBe(`opened-links=aaaaaaaa.${now - 60}`)
    expect(value(`x=1; opened-links=aaaaaaaa.${now - day}`)).toBe(`opened-links=aaaaaaaa.${now - day}~aaaaaaaa.${now}`)
    expect(value(`opened-links=bbbbbbbb.${now - 31 * day}~cccccccc.${now - 29 * day}`)).toBe(
      `opened-links=cccccccc.${now - 29 * day}~aaaaaaaa.${now}`,
    )
  })

  it('are the last 20, and nothing that somebody has written into the cookie [LINK-02]', () => {
    const many = Array.from(
      { length: 30 },
      (_, index) => `b234567${String.fromCharCode(97 + (index % 26))}.${now - 100 + index}`,
    )
    expect(value(`opened-links=${many.join('~')}`)?.split('~')).toHaveLength(20)
    expect(value(`opened-links=<script>~aaaaaaaa.x~bbbbbbbb.${now + 60}~.${now}`)).toBe(`opened-links=aaaaaaaa.${now}`)
  })

  it('leave out those of the browser’s own creator [LINK-02]', () => {
    expect(isOwnBrowser('a=b; own-links=ada', 'ada')).toBe(true)
    expect(isOwnBrowser('own-links=ada', 'bob')).toBe(false)
    expect(isOwnBrowser(undefined, 'ada')).toBe(false)
  })
})
