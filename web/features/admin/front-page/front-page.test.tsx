import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../../testing/network.ts'
import { renderRoute } from '../../../testing/render-route.tsx'
import { buildCreator, buildFrontPage } from '../../../testing/rows.ts'
import { signIn } from '../../../testing/sign-in.ts'
import type { Featured } from './featured-queries.ts'

type Sent = Record<string, unknown>
const address = '/admin?tab=front-page'
const featured = (display_name: string, is_listed = true): Featured => ({
  ...buildCreator({ display_name, username: display_name.toLowerCase() }),
  is_listed,
})
const [una, dos, tres] = [featured('Una'), featured('Dos', false), buildCreator({ display_name: 'Tres' })]

/** An admin at the settings of the front page; records what is saved. */
function open({ page = buildFrontPage(), creators = [] as Featured[], refuse = 0 } = {}) {
  signIn({ role: 'admin' })
  const saved: Sent[] = []
  const uploads: string[] = []
  let refusals = refuse
  network.use(
    answer('front_page', [page]),
    answer(
      'featured_creators',
      creators.map((creator) => ({ creator })),
    ),
    answer('rpc/discover_creators', [una, tres]),
    http.post('*/storage/v1/object/front-page/*', ({ request }) => {
      uploads.push(new URL(request.url).pathname.replace('/storage/v1/object/front-page/', ''))
      return HttpResponse.json({ Key: 'k' })
    }),
    http.post('*/rest/v1/rpc/set_front_page', async ({ request }) => {
      saved.push((await request.json()) as Sent)
      if (refusals-- > 0)
        return HttpResponse.json({ code: 'PT422', message: 'The picture has not been uploaded' }, { status: 422 })
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute(address)
  return { saved, uploads }
}

const field = (name: string) => screen.findByRole('textbox', { name })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const preview = async () => within(await screen.findByRole('region', { name: 'Preview' }))
const png = (name: string) => new File(['x'], name, { type: 'image/png' })

it('is a screen of the rail, for admins alone [FIND-06, ADM-03, LOOP-24]', async () => {
  open()
  const rail = within(await screen.findByRole('navigation', { name: 'Administration' }))
  const entry = rail.getByRole('link', { name: 'Front page' })
  expect(entry).toHaveAttribute('href', address)
  // The tabs of the panel differ from it by the query of their address alone.
  expect(rail.getAllByRole('link', { current: 'page' })).toEqual([entry])
  await userEvent.click(rail.getByRole('link', { name: 'Notifications' }))
  expect(await screen.findByRole('tab', { name: 'Notifications', selected: true })).toBeVisible()
  // Not only the name of a screen that everyone has.
  await waitFor(() => expect(document.title).toBe('Notifications · Admin Panel · Ovation'))
  const panel = within(screen.getByRole('navigation', { name: 'Administration' }))
  expect(panel.queryByRole('link', { current: 'page' })).not.toBeInTheDocument()
  cleanup()
  signIn()
  network.use(answer('rpc/get_feed', []))
  const { router } = renderRoute(address)
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})

it('saves words, color, and creators, and shows them in the preview first [FIND-06]', async () => {
  const { saved } = open({ creators: [una, dos] })
  await userEvent.type(await field('Headline'), ' Photos from Lisbon ')
  await userEvent.type(await field('Text'), 'Seven artists')
  await userEvent.type(await field('Hex value'), '#1F5F99')
  const shown = await preview()
  expect(shown.getByRole('heading', { name: 'Photos from Lisbon' })).toBeVisible()
  expect(shown.getByText('Seven artists')).toBeVisible()
  // Only those whom visitors will see.
  expect(shown.getByText('Una')).toBeVisible()
  expect(shown.queryByText('Dos')).not.toBeInTheDocument()
  expect(screen.getByText('On dark, buttons use a lighter shade, so that they stand out.')).toBeVisible()
  expect(screen.getByText('20/80')).toBeVisible()
  await press('Save')
  expect(await screen.findByText('Front page saved')).toBeVisible()
  expect(saved).toEqual([
    { headline: 'Photos from Lisbon', message: 'Seven artists', accent: '#1f5f99', creator_ids: [una.id, dos.id] },
  ])
})

it('finds, arranges, and removes creators with buttons [FIND-06]', async () => {
  const { saved } = open({ creators: [una, dos] })
  const list = async () =>
    within(await screen.findByRole('list', { name: 'Featured creators' }))
      .getAllByRole('listitem')
      .map((row) => /^[A-Z][a-z]+/.exec(row.textContent ?? '')?.[0])
  expect(await list()).toEqual(['Una', 'Dos'])
  expect(screen.getByText('Not shown')).toBeVisible()
  const found = within(await screen.findByRole('list', { name: 'Creators found' }))
  // Those who are chosen already aren't offered.
  expect(found.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Feature Tres'])
  await press('Feature Tres')
  await press('Move Tres up')
  expect(await list()).toEqual(['Una', 'Tres', 'Dos'])
  expect(screen.getByText('Tres: 2 of 3')).toBeInTheDocument()
  // At the end, there is nothing to move.
  await press('Move Una up')
  await press('Remove Dos')
  expect(await list()).toEqual(['Una', 'Tres'])
  await press('Save')
  await waitFor(() => expect(saved).toMatchObject([{ creator_ids: [una.id, tres.id] }]))
})

it('searches creators by what is typed, and Enter doesn’t save [FIND-06]', async () => {
  const { saved } = open()
  const asked: (string | null)[] = []
  network.use(
    http.get('*/rest/v1/rpc/discover_creators', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('search'))
      return HttpResponse.json([])
    }),
  )
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Search creators' }), 'nobody{Enter}')
  expect(await screen.findByText('No creators found matching "nobody"')).toBeVisible()
  expect(asked.at(-1)).toBe('nobody')
  expect(saved).toEqual([])
})

it('uploads a logo and a picture when it saves, and not again after a failure [FIND-06]', async () => {
  const { saved, uploads } = open({ refuse: 1 })
  const anyFile = userEvent.setup({ applyAccept: false })
  await anyFile.upload(await screen.findByLabelText('Logo'), new File(['x'], 'x.svg', { type: 'image/svg+xml' }))
  expect(await screen.findByText('Choose a JPEG, PNG, WebP, or GIF picture.')).toBeVisible()
  await userEvent.upload(screen.getByLabelText('Logo'), png('logo.png'))
  await userEvent.upload(screen.getByLabelText('Picture'), png('tram.png'))
  const crop = within(await screen.findByRole('dialog', { name: 'Crop picture' }))
  await userEvent.click(crop.getByRole('button', { name: 'Use image' }))
  await userEvent.type(await field('Picture description'), 'A tram')
  expect((await preview()).getByRole('img', { name: 'A tram' })).toBeVisible()
  expect(uploads).toEqual([])
  await press('Save')
  expect(await screen.findByText("Couldn't save the front page")).toBeVisible()
  expect(screen.getByText('The picture has not been uploaded')).toBeVisible()
  await press('Save')
  expect(await screen.findByText('Front page saved')).toBeVisible()
  expect(uploads.toSorted()).toEqual([
    expect.stringMatching(/^logo\/\d+\.png$/),
    expect.stringMatching(/^picture\/\d+\.png$/),
  ])
  const [logo_path, picture_path] = uploads.toSorted()
  expect(saved.at(-1)).toEqual({ picture_path, picture_alt: 'A tram', logo_path, creator_ids: [] })
})

it('rejects a color that is none, and keeps the words over a reload [FIND-06]', async () => {
  const { saved } = open()
  await userEvent.type(await field('Headline'), 'Photos')
  await userEvent.type(await field('Hex value'), 'red')
  await press('Save')
  expect(await screen.findByText('Enter a color such as #1f5f99')).toBeVisible()
  expect(await field('Hex value')).toHaveFocus()
  expect(saved).toEqual([])
  cleanup()
  open()
  expect(await field('Headline')).toHaveValue('Photos')
  expect(await field('Hex value')).toHaveValue('red')
})

it('restores the default after a question, once it is saved [FIND-06]', async () => {
  const page = buildFrontPage({
    headline: 'Photos',
    message: 'Seven artists',
    accent: '#1f5f99',
    picture_path: 'picture/1.png',
    picture_alt: 'A tram',
    logo_path: 'logo/1.png',
  })
  const { saved } = open({ page, creators: [una] })
  expect(await field('Headline')).toHaveValue('Photos')
  expect(await field('Picture description')).toHaveValue('A tram')
  await press('Restore default')
  const dialog = within(await screen.findByRole('dialog', { name: 'Restore the default front page?' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Restore default' }))
  expect(await field('Headline')).toHaveValue('')
  const shown = await preview()
  expect(shown.getByRole('heading', { name: /^The work you love/ })).toBeVisible()
  expect(shown.queryByRole('img')).not.toBeInTheDocument()
  expect(saved).toEqual([])
  await press('Save')
  await waitFor(() => expect(saved).toEqual([{ creator_ids: [] }]))
})

it('offers to try again when the settings can’t be loaded [FIND-06]', async () => {
  open()
  cleanup()
  network.use(fail('featured_creators'))
  renderRoute(address)
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  network.use(answer('featured_creators', []))
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(await field('Headline')).toHaveValue('')
})
