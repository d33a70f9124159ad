import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { accept, openComposer, submit } from '../testing/composer.ts'
import { answer, network } from '../testing/network.ts'
import { renderRoute } from '../testing/render-route.tsx'
import { buildPost, noor } from '../testing/rows.ts'
import { signIn } from '../testing/sign-in.ts'
import joy from '../ui/moments.module.css'

/** What the viewer does, and the element that answers it. */
const moments: Record<string, () => Promise<Element | null | undefined>> = {
  'a like': async () => {
    signIn()
    network.use(
      answer('rpc/get_feed', [buildPost()]),
      answer('post_likes', []),
      http.post('*/rest/v1/post_likes', () => new HttpResponse(null, { status: 201 })),
    )
    renderRoute('/')
    const heart = await screen.findByRole('button', { name: /^Like/ })
    await waitFor(() => expect(heart).toBeEnabled())
    expect(joyful(heart)).toBeNull()
    await userEvent.click(heart)
    return joyful(heart)
  },
  'an unlock': async () => {
    signIn()
    const post = buildPost({ post_type: 'ppv', ppv_price: 1250, is_locked: true, content: 'The first words' })
    network.use(
      answer('posts', [post]),
      answer('comments', []),
      http.post('*/functions/v1/verify-payment', () =>
        HttpResponse.json({ status: 'paid', kind: 'ppv', amountCents: 1250, hasAccess: true }),
      ),
    )
    renderRoute(`/post/${post.id}?purchase=cs_1`)
    const locked = await screen.findByText('The first words')
    expect(locked.closest(anyMoment)).toBeNull()
    network.use(answer('posts', [{ ...post, content: 'The rest', is_locked: false }]))
    return (await screen.findByText('The rest')).closest(anyMoment)
  },
  'a payment': async () => {
    signIn()
    network.use(
      answer('posts', []),
      http.post('*/functions/v1/verify-subscription', () =>
        HttpResponse.json({
          hasActiveSubscription: true,
          subscription: { tier: { name: 'Monthly' }, creator: noor },
        }),
      ),
    )
    renderRoute('/subscription-success?session_id=cs_1&creator_id=creator-1')
    return (await screen.findByRole('heading', { name: 'Subscription Successful!' })).closest(anyMoment)
  },
  'a first post': async () => {
    accept()
    network.use(http.get('*/rest/v1/posts', () => HttpResponse.json([{ id: 'one' }])))
    const dialog = await openComposer()
    await userEvent.type(dialog.getByLabelText('Content'), 'Hello')
    await submit(dialog)
    return joyful((await screen.findByText('Post created')).closest('[role="status"]'))
  },
}
const anyMoment = [joy.pop, joy.reveal, joy.rise].map((name) => `.${name}`).join(', ')
const joyful = (element: Element | null) => element?.querySelector(anyMoment) ?? null

it.each(Object.keys(moments))(
  'answers %s with a moment of 300 ms at most, or none with reduced motion [LOOP-27, D53]',
  async (name) => {
    expect(await moments[name]?.()).toBeInstanceOf(Element)
    const [moving = '', always = ''] = partsOf(
      readFileSync(join(import.meta.dirname, '../ui/moments.module.css'), 'utf8'),
    )
    expect(always).not.toContain('animation')
    const durations = [...moving.matchAll(/animation: \w+ (\d+)ms/g)].map(([, ms]) => Number(ms))
    expect(durations).toHaveLength(3)
    expect(Math.max(...durations)).toBeLessThanOrEqual(300)
  },
)

/** The rules for users who don't want less motion, and the rest without its keyframes. */
function partsOf(css: string): string[] {
  const begin = css.indexOf('@media (prefers-reduced-motion: no-preference)')
  const end = css.indexOf('\n}', begin)
  return [css.slice(begin, end), css.slice(0, begin) + css.slice(end)]
}
