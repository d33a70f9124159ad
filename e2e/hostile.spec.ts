import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { ApiUser } from './clients.ts'
import * as clients from './clients.ts'
import { demoPassword, openTab, password, signIn, signInContext } from './people.ts'
import { fillOnboarding } from './sandbox.ts'

/**
 * An attacker puts markup into every text field of the product, and other users open every screen that shows it. The texts are shown as
 * typed; nothing runs, loads, or breaks out, neither in the app nor in the page's metadata that other sites read. (Emails: server/mail.
 * Spreadsheets: web/lib/format/csv.test.ts.)
 */
const image = '<img src=x onerror=ran(1)>'
/** Ends a title, an attribute, a script, and a comment, reverses the text direction, and would be a formula in a spreadsheet. */
const long = `=1+1 </title></textarea>--><script>ran(2)</script>"'><svg onload=ran(3)><a href="javascript:ran(4)">x</a> ${image} \u202Egnp.exe`

const mark = Date.now().toString(36)
const attackerName = `mallory_${mark}`
const readerName = `wendy_${mark}`

test('markup in any text stays text, on every screen and for every viewer [GEN-35, GEN-10, POST-03, MSG-04, ADM-05]', async ({
  browser,
  page,
}) => {
  const [attacker, reader, admin] = await Promise.all([
    clients.signUp(attackerName, image),
    clients.signUp(readerName, 'Wendy'),
    clients.signIn('robin@ovation.example', demoPassword),
  ])
  const written = await fillEveryField(page, { attacker, reader, admin })

  await test.step('as a visitor, and in the metadata that other sites read', async () => {
    const stranger = await browser.newContext()
    for (const path of [`/profile/${attackerName}`, `/post/${written.post}`]) {
      const document = await (await stranger.request.get(path)).text()
      // What apps and search engines read is JSON, in elements that run nothing and that no text in them can end.
      const html = document.replace(/<script type="application\/(?:ld\+)?json"[^>]*>[^<]*<\/script>/g, '')
      expect(html).toContain('&lt;img src=x onerror=ran(1)&gt;')
      expect(html).not.toMatch(/<img src=x|<svg onload|<script>ran|"javascript:/)
      expect(html.match(/<\/title>/g)).toHaveLength(1)
    }
    await look(stranger, [
      `/profile/${attackerName}`,
      `/profile/${attackerName}?tab=about`,
      `/post/${written.post}`,
      `/search?q=${attackerName}`,
      `/explore?q=${attackerName}`,
    ])
    await stranger.close()
  })
  await test.step('as a follower, reader, and recipient', async () => {
    const context = await browser.newContext()
    await signInContext(context, `${readerName}@example.com`, password)
    await look(context, [
      '/',
      '/notifications',
      '/messages',
      `/messages?with=${attackerName}`,
      `/profile/${attackerName}?tab=subscribe`,
      `/post/${written.post}`,
      '/saved',
    ])
    await context.close()
  })
  await test.step('as an admin', async () => {
    const context = await browser.newContext()
    await signInContext(context, 'robin@ovation.example', demoPassword)
    await look(context, [
      '/admin',
      '/admin?tab=users',
      '/admin?tab=support',
      '/admin?tab=polls',
      '/admin/reports',
      '/admin/audit',
    ])
    await context.close()
  })
  await test.step('as the attacker', async () => {
    const context = await browser.newContext()
    await signInContext(context, `${attackerName}@example.com`, password)
    await look(context, [
      '/profile',
      '/dashboard?tab=content',
      '/private-sessions?tab=offers',
      '/subscription-products',
    ])
    await context.close()
  })
})

/** Reports that it ran, and what it found in the viewer's session. */
const payload = `document.title = 'ran'; document.documentElement.dataset.found = Object.values(localStorage).join()`
const html = `<!doctype html><title>quiet</title><p>Hello</p><script>${payload}</script><img src=x onerror="${payload}">`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${payload}"><title>quiet</title><script>${payload}</script></svg>`
const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>quiet</title></head><body><script>${payload}</script></body></html>`
/** Files for an operator's own bucket, with the correct type and with a wrong one. */
const uploads = [
  { name: 'page.html', type: 'text/html', body: html },
  { name: 'page.xhtml', type: 'application/xhtml+xml', body: xhtml },
  { name: 'drawing.svg', type: 'image/svg+xml', body: svg },
  { name: 'page.png', type: 'image/png', body: html },
  { name: 'page.svg', type: 'image/svg+xml', body: html },
  { name: 'drawing.png', type: 'image/png', body: svg },
  { name: 'drawing.html', type: 'text/html', body: svg },
  { name: 'script.gif', type: 'image/gif', body: `GIF89a=1;${payload}` },
  { name: 'script.js', type: 'text/javascript', body: payload },
]

test('an uploaded page, drawing, or script never runs, at any of its URLs and for any user [API-STO-09, GEN-35]', async ({
  page,
}) => {
  const name = `victor_${mark}`
  const { userId } = await clients.signUp(name, 'Victor')
  await signIn(page, `${name}@example.com`, password)
  const session = JSON.parse(
    await page.evaluate<string>(`Object.entries(localStorage).find(([key]) => key.endsWith('-auth-token'))[1]`),
  )
  const addresses = await fillBuckets(userId, mark)

  // The same page from the same origin, without a file's headers: it runs and finds the session.
  await page.route('**/spied', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto('/spied')
  expect(await readTrace(page)).toMatchObject({ title: 'ran', found: expect.stringContaining(session.access_token) })

  for (const address of addresses) {
    // An authenticated URL requires the token, which a navigation doesn't send.
    const needsToken = address.includes('/object/authenticated/')
    await page.setExtraHTTPHeaders(needsToken ? { authorization: `Bearer ${session.access_token}` } : {})
    const response = await page.goto(address)
    expect(response?.status(), address).toBe(200)
    const { title, found } = await readTrace(page)
    expect({ address, title: title === 'ran', found }).toEqual({ address, title: false, found: null })
  }
  await page.setExtraHTTPHeaders({})

  // Nor do they help an attacker who can inject markup into our pages, which may run scripts from this origin.
  await page.goto('/')
  for (const address of addresses.filter((each) => !each.includes('/object/authenticated/')))
    await expect(page.addScriptTag({ url: address }), address).rejects.toThrow()
  expect(await readTrace(page)).toMatchObject({ found: null })
})

test.describe('where service workers are allowed', () => {
  test.use({ serviceWorkers: 'allow' })

  test('no uploaded file becomes one [API-STO-09, GEN-35]', async ({ page }) => {
    const { userId } = await clients.signUp(`wanda_${mark}`, 'Wanda')
    const addresses = await fillBuckets(userId, `${mark}w`)
    await page.goto('/auth')
    const register = (address: string) =>
      page.evaluate<string>(
        `navigator.serviceWorker.register(${JSON.stringify(address)}).then(() => 'registered', () => 'refused')`,
      )
    for (const address of addresses) expect(await register(address), address).toBe('refused')
    expect(await register('/service-worker.js')).toBe('registered')
  })
})

async function readTrace(page: Page): Promise<{ title: string; found: string | null }> {
  return page.evaluate(`({ title: document.title, found: document.documentElement.dataset?.found ?? null })`)
}

/** All URLs of each file. The buckets are an operator's, without allowed types: the product's own reject such files. */
async function fillBuckets(userId: string, suffix: string): Promise<string[]> {
  const { storage } = clients.service()
  const [open, closed] = [`open-${suffix}`, `closed-${suffix}`]
  for (const [bucket, isPublic] of [
    [open, true],
    [closed, false],
  ] as const) {
    const { error } = await storage.createBucket(bucket, { public: isPublic })
    if (error) throw error
  }
  const addresses = uploads.map(async ({ name, type, body }) => {
    const path = `${userId}/${name}`
    for (const bucket of [open, closed]) {
      const { error } = await storage.from(bucket).upload(path, body, { contentType: type })
      if (error) throw error
    }
    const { data, error } = await storage.from(closed).createSignedUrl(path, 600)
    if (error) throw error
    return [
      storage.from(open).getPublicUrl(path).data.publicUrl,
      data.signedUrl,
      new URL(`/storage/v1/object/authenticated/${closed}/${path}`, process.env.E2E_URL).href,
    ]
  })
  return (await Promise.all(addresses)).flat()
}

/** Opens the details of the newest entries. */
async function openDetails(page: Page) {
  const closed = page.getByRole('main').getByRole('button', { expanded: false })
  await expect(closed.first()).toBeVisible()
  for (let left = Math.min(10, await closed.count()); left > 0; left--) await closed.first().click()
}

/** Opens each path, and checks that the text shows and did nothing. */
async function look(context: BrowserContext, paths: readonly string[]) {
  await context.addInitScript(`globalThis.incidents = []
    globalThis.ran = (what) => incidents.push('ran ' + what)
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      incidents.push(effectiveDirective + ' refuses ' + blockedURI + ' of ' + sourceFile))`)
  const page = await openTab(context)
  const errors: string[] = []
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  for (const path of paths) {
    await page.goto(path)
    if (path.startsWith('/admin/')) await openDetails(page)
    // A post has a title, a text, and a comment.
    const shown = page.getByText(image).nth(path.startsWith('/post/') ? 2 : 0)
    await expect(shown, path).toBeVisible()
    await expectHarmless(page, path)
  }
  expect(errors).toEqual([])
  await page.close()
}

async function expectHarmless(page: Page, path: string) {
  const injected = await page.evaluate(
    `[...document.querySelectorAll('img[src="x"], [onerror], [onload], svg[onload], a[href^="javascript:" i], body script:not(#page-data)')].map((part) => part.outerHTML)`,
  )
  expect(injected, path).toEqual([])
  expect(await page.evaluate('incidents'), path).toEqual([])
}

/** Writes the texts: as the attacker wherever a user can, and as the admin where only admins can. */
async function fillEveryField(
  page: Page,
  { attacker, reader, admin }: Record<'attacker' | 'reader' | 'admin', ApiUser>,
) {
  const { client, userId, profileId } = attacker
  const write = async (table: string, row: object, who = client) =>
    ((await who.from(table).insert(row).select('id').single().throwOnError()).data as { id: string }).id
  await Promise.all([clients.apply(attacker, image, long), clients.apply(reader, image, long)])
  await admin.client
    .from('creator_applications')
    .update({ status: 'approved', reviewed_at: new Date().toISOString() })
    .eq('user_id', userId)
    .throwOnError()
  await call(client, 'create-stripe-account', {})
  const { url } = await call(client, 'create-onboarding-link', { origin: process.env.E2E_URL })
  await page.goto(url)
  await fillOnboarding(page)
  await page.waitForURL(/\/creator-onboarding/)
  await call(client, 'check-stripe-status', {})
  // An invalid URL, and one that closes its attribute: neither breaks a page.
  await client
    .from('profiles')
    .update({
      bio: long,
      website_url: `https://example.com/"><script>ran(5)</script>${'a'.repeat(20)}`,
      avatar_url: 'http://[',
      cover_url: 'javascript:ran(6)',
    })
    .eq('id', profileId)
    .throwOnError()
  const refused = await client.from('profiles').update({ website_url: 'javascript:ran(7)' }).eq('id', profileId)
  expect(refused.error).not.toBeNull()
  const post = await write('posts', { creator_id: profileId, title: image, content: long, post_type: 'free' })
  await client
    .from('scheduled_posts')
    .insert({
      creator_id: profileId,
      title: image,
      content: long,
      post_type: 'free',
      poll: { title: image, options: [long.slice(0, 90), image], days: 7 },
    })
    .throwOnError()
  await client
    .from('scheduled_posts')
    .insert({
      creator_id: profileId,
      title: image,
      content: long,
      post_type: 'free',
      publish_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
    .throwOnError()
  await reader.client.from('follows').insert({ follower_id: reader.profileId, following_id: profileId }).throwOnError()
  await reader.client.from('bookmarks').insert({ user_id: reader.profileId, post_id: post }).throwOnError()
  await client.from('follows').insert({ follower_id: profileId, following_id: reader.profileId }).throwOnError()
  await write('comments', { post_id: post, user_id: profileId, content: long })
  const gone = await write('comments', { post_id: post, user_id: profileId, content: long })
  await admin.client.rpc('take_down', { target_type: 'comment', target_id: gone, reason: image }).throwOnError()
  await write('messages', { sender_id: profileId, recipient_id: reader.profileId, content: long })
  await client
    .from('session_offers')
    .insert({ creator_id: profileId, title: image, description: long, duration_minutes: 30, price_cents: 2000 })
    .throwOnError()
  await call(client, 'create-subscription-product', {
    name: image,
    description: long,
    price_cents: 900,
    interval: 'month',
  })
  await client
    .from('reports')
    .insert({
      reporter_id: profileId,
      target_type: 'profile',
      target_id: reader.profileId,
      reason: 'spam',
      details: long,
    })
    .throwOnError()
  await client
    .from('support_requests')
    .insert({
      user_id: userId,
      name: image,
      email: '"><script>ran(8)</script>@example.com',
      subject: long.slice(0, 200),
      message: long,
    })
    .throwOnError()
  await admin.client
    .from('polls')
    .insert({ title: image, description: long, options: JSON.stringify([image, long.slice(0, 90)]) })
    .throwOnError()
  await admin.client
    .from('posts')
    .update({ admin_note: long, admin_note_is_public: true })
    .eq('id', post)
    .throwOnError()
  return { post }
}

async function call(client: SupabaseClient, name: string, body: object): Promise<{ url: string }> {
  const { data, error } = await client.functions.invoke(name, { body })
  if (error) throw error
  return data
}
