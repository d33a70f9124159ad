import { expect, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { demoPassword, open, openTab, password, signIn, signInContext } from './people.ts'

test('the tabs of a browser share one socket, and each gets every change [API-RT-01, API-RT-02, GEN-22, D21]', async ({
  browser,
}) => {
  const [context, other] = await Promise.all([browser.newContext(), browser.newContext()])
  const pageSockets: string[] = []
  const open = async (path: string): Promise<Page> => {
    const page = await openTab(context)
    page.on('websocket', (socket) => pageSockets.push(socket.url()))
    await page.goto(path)
    return page
  }
  const first = await openTab(context)
  first.on('websocket', (socket) => pageSockets.push(socket.url()))
  await signIn(first, 'mara@ovation.example', demoPassword, '/notifications')
  const second = await open('/explore')
  const third = await open('/settings')

  const fan = await openTab(other)
  await signInContext(other, 'tomas@ovation.example', demoPassword)
  const write = async (text: string) => {
    await fan.goto('/messages?with=mara')
    await fan.getByRole('textbox', { name: /^Message to/ }).fill(text)
    await fan.getByRole('button', { name: 'Send' }).click()
    await expect(fan.getByText('Message sent')).toBeVisible()
  }
  const unread = async (page: Page) => {
    const name = await page
      .getByRole('link', { name: /^Messages/ })
      .first()
      .getAttribute('aria-label')
    return Number(/\d+/.exec(name ?? '')?.[0] ?? 0)
  }
  // A tab doesn't show when its subscription starts, so send messages until they raise its count.
  await expect(async () => {
    const counts = await Promise.all([second, third].map(unread))
    await write(`Does anybody hear? ${Date.now()}`)
    for (const [index, page] of [second, third].entries())
      await expect.poll(() => unread(page), { timeout: 2_000 }).toBe((counts[index] ?? 0) + 1)
  }).toPass()
  const before = await unread(second)
  await write(`One ${Date.now()}`)
  for (const page of [second, third]) await expect.poll(() => unread(page)).toBe(before + 1)
  // The tab that opened the first channel closes; the others still get changes.
  await first.close()
  await write(`Two ${Date.now()}`)
  for (const page of [second, third]) await expect.poll(() => unread(page)).toBe(before + 2)
  expect(pageSockets).toEqual([]) // the worker has the socket, not a page
  await Promise.all([context.close(), other.close()])
})

test('both badges follow every change that another device makes [API-RT-01, GEN-21, GEN-22]', async ({ browser }) => {
  const service = clients.service()
  const fan = await clients.signUp(`badge${Date.now()}`, 'Badge Watcher')
  const sender = await clients.signUp(`sender${Date.now()}`, 'Sender')
  const { context, page } = await open(browser)
  const { data } = await fan.client.auth.getUser()
  await signIn(page, data.user?.email ?? '', password, '/explore')
  const badge = (name: RegExp) => async () => {
    const label = await page.getByRole('link', { name }).first().getAttribute('aria-label')
    return Number(/\d+/.exec(label ?? '')?.[0] ?? 0)
  }
  const notifications = badge(/^Notifications/)
  const messages = badge(/^Messages/)
  const notify = (title: string) =>
    service
      .from('notifications')
      .insert({ user_id: fan.profileId, type: 'announcement', title, message: title })
      .select('id')
      .single()
      .throwOnError()
  const send = (content: string) =>
    sender.client
      .from('messages')
      .insert({ sender_id: sender.profileId, recipient_id: fan.profileId, content })
      .select('id')
      .single()
      .throwOnError()

  const known = await notifications()
  const first = await notify('First')
  const second = await notify('Second')
  await expect.poll(notifications).toBe(known + 2)
  await fan.client.from('notifications').update({ is_read: true }).eq('id', first.data.id).throwOnError()
  await expect.poll(notifications).toBe(known + 1)
  await service.from('notifications').delete().eq('id', second.data.id).throwOnError()
  await expect.poll(notifications).toBe(known)

  const one = await send('One')
  const two = await send('Two')
  await expect.poll(messages).toBe(2)
  await fan.client.from('messages').update({ is_read: true }).eq('id', one.data.id).throwOnError()
  await expect.poll(messages).toBe(1)
  // Messages can't be deleted, so only reading lowers this count.
  await fan.client.from('messages').update({ is_read: true }).eq('id', two.data.id).throwOnError()
  await expect.poll(messages).toBe(0)
  await context.close()
})
