import fc from 'fast-check'
import { expect, it } from 'vitest'
import { html } from './html.ts'

it('escapes every value, keeps nested markup, and drops what is absent', () => {
  const nested = html`<b>${'<i>'}</b>`
  expect(html`<p title="${'"\''}">${nested}${[nested, 'a & b']}${false}${null}${undefined}${0}</p>`.text).toBe(
    '<p title="&quot;&#39;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b>a &amp; b0</p>',
  )
})

it('lets no text become markup', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(html`${text}`.text).not.toMatch(/[<>"']/)
    }),
  )
})
