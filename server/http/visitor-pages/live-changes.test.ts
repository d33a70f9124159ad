import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { ask } from '../../public-pages/testing/ask.ts'
import { buildPost, buildSeller } from '../../public-pages/testing/creators.ts'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { buildWebApp } from '../../web-build.ts'

let gateway: TestGateway
beforeAll(async () => {
  await buildWebApp(pino({ level: 'silent' }))
  gateway = await startGateway()
}, 240_000)
afterAll(() => gateway?.close())
afterEach(() => vi.restoreAllMocks())

/** A busy machine leaves a page to the browser, and the next request finds it. */
const readProfile = ({ username }: Person) =>
  eventually(async () => {
    const { body } = await ask(gateway.url, `/profile/${username}`)
    expect(body).toContain(' data-visitor-page>')
    return body
  })

it('reads no log only because pages are rendered [FIND-05]', async () => {
  await readProfile(await buildSeller(gateway))
  expect(gateway.services.realtime.state.isReading).toBe(false)
})

it('shows a visitor at once what was published, changed, and deleted while anyone is live [FIND-05]', async () => {
  const creator = await buildSeller(gateway)
  const joined = Promise.withResolvers<void>()
  creator.client
    .channel('any')
    .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, () => undefined)
    .subscribe((status) => status === 'SUBSCRIBED' && joined.resolve())
  await joined.promise
  // Since no time passes, no page gets too old.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const empty = await readProfile(creator)
  expect(await readProfile(creator)).toBe(empty)
  const id = await buildPost(gateway, creator, { title: 'Harbor at six' })
  await eventually(async () => expect(await readProfile(creator)).toContain('Harbor at six'))
  const posts = creator.client.from('posts')
  await posts.update({ title: 'Harbor at seven' }).eq('id', id).throwOnError()
  await eventually(async () => expect(await readProfile(creator)).toContain('Harbor at seven'))
  await posts.delete().eq('id', id).throwOnError()
  await eventually(async () => expect(await readProfile(creator)).not.toContain('Harbor at'))
})
