import { waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it } from 'vitest'
import { network } from '../../testing/network.ts'
import { renderPart } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'
import { forgetOpenedLinks, openedLinks } from './opened-links.ts'

const visits = 'abcdefgh.1800000000~bcdefghj.1800000001'
const open = () => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
  document.cookie = `opened-links=${visits}; path=/`
}
afterEach(forgetOpenedLinks)
/** What was handed over. */
function record(status = 204) {
  const calls: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/claim_link_visits', async ({ request }) => {
      calls.push(await request.json())
      return new HttpResponse(null, { status })
    }),
  )
  return calls
}

it('hands over the links that the browser has opened once the viewer is signed in [LINK-02]', async () => {
  open()
  signIn()
  const calls = record()
  renderPart('Home')
  await waitFor(() => expect(calls).toEqual([{ visits }]))
  await waitFor(() => expect(openedLinks()).toBe(''))
})

it('keeps them for visitors, and when the request fails [LINK-02]', async () => {
  open()
  renderPart('Home')
  expect(openedLinks()).toBe(visits)
  signIn()
  const calls = record(500)
  renderPart('Home')
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(openedLinks()).toBe(visits)
})

it('finds none in other cookies [LINK-02]', () => {
  // biome-ignore lint/suspicious/noDocumentCookie: as a browser has them
  document.cookie = 'not-opened-links=1; path=/'
  expect(openedLinks()).toBe('')
})
