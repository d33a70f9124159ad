import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import type { VaultAlbum, VaultFile } from '../../domain/vault/queries.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildVaultAlbum, buildVaultFile } from '../../testing/rows.ts'
import { signFiles } from '../../testing/sign-files.ts'
import { signIn } from '../../testing/sign-in.ts'

/** A vault on a server. @returns the requests that change it, as `"name body"`. */
function serveVault({ files = [], albums = [] }: { files?: VaultFile[]; albums?: VaultAlbum[] } = {}) {
  const asked: [string, unknown][] = []
  const asks = (name: string, result: unknown) =>
    http.post(`*/rest/v1/rpc/${name}`, async ({ request }) => {
      asked.push([name, await request.json()])
      return HttpResponse.json(result as number)
    })
  network.use(
    answer('rpc/get_vault_files', files),
    answer('rpc/get_vault_album_files', files.slice(0, 1)),
    answer('rpc/get_vault_albums', albums),
    answer('rpc/get_vault_uses', []),
    answer('rpc/get_vault_recipients', []),
    asks('add_to_vault_album', 2),
    asks('remove_from_vault_album', 1),
    asks('arrange_vault_albums', null),
    asks('delete_vault_files', 2),
    http.post('*/rest/v1/vault_albums', async ({ request }) => {
      asked.push(['create', await request.json()])
      return HttpResponse.json({ id: buildVaultAlbum().id }, { status: 201 })
    }),
    http.patch('*/rest/v1/vault_albums', async ({ request }) => {
      asked.push(['change', await request.json()])
      return HttpResponse.json({ id: albums[0]?.id ?? '' })
    }),
    http.delete('*/rest/v1/vault_albums', ({ request }) => {
      asked.push(['remove', new URL(request.url).searchParams.get('id')])
      return new HttpResponse(null, { status: 204 })
    }),
    http.patch('*/rest/v1/vault_files', async ({ request }) => {
      asked.push(['describe', await request.json()])
      return new HttpResponse(null, { status: 204 })
    }),
  )
  signFiles({ bucket: 'vault' })
  signIn({ is_creator: true, is_verified: true })
  return asked
}

const files = () => ['Sea.jpg', 'Pier.jpg', 'Fog.jpg', 'Town.jpg'].map((name) => buildVaultFile({ name }))
const tile = (name: string) => screen.getByRole('button', { name })
const pressed = () =>
  screen.getAllByRole('button', { pressed: true }).map((button) => button.getAttribute('aria-label'))

it('shows albums, opens one, renames it, and removes it after asking [VAULT-04]', async () => {
  const album = buildVaultAlbum({ name: 'Lisbon', file_count: 1 })
  const asked = serveVault({ files: files(), albums: [album, buildVaultAlbum({ name: 'Porto' })] })
  const { router } = renderRoute('/vault')
  const nav = within(await screen.findByRole('navigation', { name: 'Albums' }))
  await userEvent.click(await nav.findByRole('button', { name: 'Lisbon 1 file' }))
  expect(await screen.findByRole('heading', { name: 'Lisbon' })).toBeVisible()
  expect(router.state.location.search).toBe(`?album=${album.id}`)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Pier.jpg' })).toBeNull())
  expect(tile('Sea.jpg')).toBeVisible()

  await userEvent.click(screen.getByRole('button', { name: 'More about Lisbon' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename album' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename album' }))
  await userEvent.clear(dialog.getByLabelText('Name'))
  await userEvent.click(dialog.getByRole('button', { name: 'Rename' }))
  expect(await dialog.findByText('Enter a name.')).toBeVisible()
  await userEvent.type(dialog.getByLabelText('Name'), ' Coast ')
  await userEvent.click(dialog.getByRole('button', { name: 'Rename' }))
  await waitFor(() => expect(asked).toEqual([['change', { name: 'Coast' }]]))

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'More about Lisbon' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove album' }))
  const question = within(await screen.findByRole('dialog', { name: 'Remove Lisbon?' }))
  expect(question.getByText('Its files stay in your vault.')).toBeVisible()
  await userEvent.click(question.getByRole('button', { name: 'Remove album' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(asked.at(-1)).toEqual(['remove', `eq.${album.id}`])
})

it('creates an album and says when its name is taken [VAULT-04]', async () => {
  const asked = serveVault({ files: files() })
  renderRoute('/vault')
  await userEvent.click(await screen.findByRole('button', { name: 'New album' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New album' }))
  network.use(
    http.post(
      '*/rest/v1/vault_albums',
      () => HttpResponse.json({ code: '23505', message: 'duplicate key' }, { status: 409 }),
      { once: true },
    ),
  )
  await userEvent.type(dialog.getByLabelText('Name'), 'Lisbon')
  await userEvent.click(dialog.getByRole('button', { name: 'Create album' }))
  expect(await dialog.findByText('You already have an album with this name.')).toBeVisible()
  await userEvent.type(dialog.getByLabelText('Name'), ' 2')
  await userEvent.click(dialog.getByRole('button', { name: 'Create album' }))
  await waitFor(() => expect(asked).toMatchObject([['create', { name: 'Lisbon 2' }]]))
})

it('arranges albums with the keyboard [VAULT-04]', async () => {
  const albums = ['Lisbon', 'Porto', 'Faro'].map((name) => buildVaultAlbum({ name }))
  const asked = serveVault({ files: files(), albums })
  renderRoute('/vault')
  await userEvent.click(await screen.findByRole('button', { name: 'Arrange albums' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Arrange albums' }))
  dialog.getByRole('button', { name: 'Move Faro, 3 of 3' }).focus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  expect(dialog.getByText('Faro is now 1 of 3')).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Move Faro, 1 of 3' })).toHaveFocus()
  await userEvent.click(dialog.getByRole('button', { name: 'Save order' }))
  const [lisbon, porto, faro] = albums
  await waitFor(() =>
    expect(asked).toEqual([['arrange_vault_albums', { album_ids: [faro?.id, lisbon?.id, porto?.id] }]]),
  )
})

it('selects with clicks, Shift, Ctrl with A, and the keyboard, and stops with Escape [VAULT-04]', async () => {
  serveVault({ files: files() })
  renderRoute('/vault')
  await screen.findByRole('button', { name: 'Sea.jpg' })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Select' }))
  expect(screen.getByText(/^Press files to select them/)).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.getByRole('button', { name: 'Select' })).toHaveFocus()
  await user.keyboard('{Enter}')
  await user.click(tile('Sea.jpg'))
  await user.keyboard('{Shift>}')
  await user.click(tile('Fog.jpg'))
  await user.keyboard('{/Shift}')
  expect(pressed()).toEqual(['Sea.jpg', 'Pier.jpg', 'Fog.jpg'])
  tile('Pier.jpg').focus()
  await user.keyboard('{Enter}')
  expect(pressed()).toEqual(['Sea.jpg', 'Fog.jpg'])
  await user.keyboard('{Control>}a{/Control}')
  const bar = within(screen.getByRole('region', { name: 'Selected files' }))
  expect(bar.getByText('4 selected')).toBeVisible()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: 'Selected files' })).toBeNull()
  await user.keyboard('{Control>}')
  await user.click(tile('Town.jpg'))
  await user.keyboard('{/Control}')
  expect(pressed()).toEqual(['Town.jpg'])
})

it('selects with a long press on a phone [VAULT-04]', async () => {
  serveVault({ files: files() })
  renderRoute('/vault')
  await screen.findByRole('button', { name: 'Sea.jpg' })
  const user = userEvent.setup()
  await user.pointer({ keys: '[TouchA>]', target: tile('Sea.jpg') })
  await waitFor(() => expect(pressed()).toEqual(['Sea.jpg']))
  await user.pointer({ keys: '[/TouchA]', target: tile('Sea.jpg') })
  expect(pressed()).toEqual(['Sea.jpg']) // the end of the press isn't another one
  await user.pointer([{ keys: '[TouchA]', target: tile('Fog.jpg') }])
  expect(pressed()).toEqual(['Sea.jpg', 'Fog.jpg'])
})

it('adds the selected files to an album, and takes them out, in one request each [VAULT-04]', async () => {
  const albums = [buildVaultAlbum({ name: 'Lisbon', file_count: 1 })]
  const all = files()
  const asked = serveVault({ files: all, albums })
  renderRoute('/vault')
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Sea.jpg' }))
  await userEvent.click(tile('Pier.jpg'))
  await userEvent.click(screen.getByRole('button', { name: 'Add to album' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add 2 files to an album' }))
  await userEvent.click(await dialog.findByRole('button', { name: 'Lisbon 1 file' }))
  expect(await screen.findByText('Added 2 files to Lisbon')).toBeVisible()
  const [album] = albums
  expect(asked).toEqual([
    ['add_to_vault_album', { album_id: album?.id, file_ids: all.slice(0, 2).map(({ id }) => id) }],
  ])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Lisbon 1 file' }))
  await screen.findByRole('heading', { name: 'Lisbon' })
  await userEvent.click(screen.getByRole('button', { name: 'Select' }))
  await userEvent.click(tile('Sea.jpg'))
  await userEvent.click(screen.getByRole('button', { name: 'Set as cover' }))
  await waitFor(() => expect(asked.at(-1)).toEqual(['change', { cover_id: all[0]?.id }]))
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }))
  await userEvent.click(tile('Sea.jpg'))
  await userEvent.click(screen.getByRole('button', { name: 'Remove from album' }))
  await waitFor(() =>
    expect(asked.at(-1)).toEqual(['remove_from_vault_album', { album_id: album?.id, file_ids: [all[0]?.id] }]),
  )
})

it('makes a post of the selected files, with their alt texts and the caption [VAULT-04, VAULT-05]', async () => {
  const [sea, ...rest] = files()
  const described = { ...(sea as VaultFile), alt_text: 'A calm sea', caption: 'Early morning' }
  serveVault({ files: [described, ...rest] })
  network.use(answer('subscription_products', []), answer('monetization_settings', null))
  renderRoute('/vault')
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Sea.jpg' }))
  await userEvent.click(screen.getByRole('button', { name: 'Make a post' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Post' }))
  expect(dialog.getByLabelText('Alt text for Sea.jpg')).toHaveValue('A calm sea')
  await waitFor(() => expect(dialog.getByLabelText('Content')).toHaveValue('Early morning'))
})

it('doesn’t begin a post with a voice message, which only messages have [INBOX-05]', async () => {
  const [sea, ...rest] = files()
  serveVault({ files: [{ ...(sea as VaultFile), kind: 'audio', name: 'Hello' }, ...rest] })
  renderRoute('/vault')
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Hello' }))
  await userEvent.click(screen.getByRole('button', { name: 'Make a post' }))
  expect(await screen.findByText("A post can't have voice messages. Select other files.")).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('says where selected files are used and who keeps them, and deletes them [VAULT-04, VAULT-06]', async () => {
  const all = files()
  const asked = serveVault({ files: all })
  const foreseen = { posts: 3, messages: 1, stories: 0, buyers: 12, emptied_posts: 1, staying_files: 1 }
  network.use(http.post('*/rest/v1/rpc/get_vault_removal', () => HttpResponse.json(foreseen)))
  renderRoute('/vault')
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }))
  for (const name of ['Sea.jpg', 'Pier.jpg', 'Fog.jpg'])
    await userEvent.click(await screen.findByRole('button', { name }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 3 files?' }))
  expect(await dialog.findByText(/They disappear from 3 posts and 1 message\./)).toBeVisible()
  expect(dialog.getByText('12 fans keep what they have bought.')).toBeVisible()
  expect(dialog.getByText('1 post has nothing else and will be deleted.')).toBeVisible()
  expect(dialog.getByText(/1 file is all that a bought post has, and stays\./)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Deleted 2 files')).toBeVisible()
  expect(asked).toEqual([['delete_vault_files', { file_ids: all.slice(0, 3).map(({ id }) => id) }]])
})

it('lists the uses of the one file to delete, and offers Retry [VAULT-06]', async () => {
  serveVault({ files: files() })
  const use = { post_id: 'p1', title: 'Dawn', price: 500, username: null, display_name: null }
  network.use(
    fail('rpc/get_vault_removal'),
    answer('rpc/get_vault_uses', [{ id: '1', ...use, used_at: '2026-05-04T10:00:00Z' }]),
  )
  renderRoute('/vault')
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Sea.jpg' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 1 file?' }))
  const retry = await dialog.findByRole('button', { name: 'Retry' })
  expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled()
  const foreseen = { posts: 1, messages: 0, stories: 0, buyers: 1, emptied_posts: 0, staying_files: 0 }
  network.use(http.post('*/rest/v1/rpc/get_vault_removal', () => HttpResponse.json(foreseen)))
  await userEvent.click(retry)
  expect(await dialog.findByText('1 fan keeps what they have bought.')).toBeVisible()
  expect(await dialog.findByRole('link', { name: 'Dawn' })).toBeVisible()
})

it('shows where a file is used and who has it, and saves its words [VAULT-05]', async () => {
  const [file] = files() as [VaultFile]
  const asked = serveVault({ files: [file] })
  const at = '2026-05-04T10:00:00Z'
  network.use(
    answer('rpc/get_vault_uses', [
      { id: '1', post_id: 'p1', title: 'Dawn', price: 500, username: null, display_name: null, used_at: at },
      { id: '2', post_id: null, title: null, price: null, username: 'ada', display_name: 'Ada', used_at: at },
    ]),
    answer('rpc/get_vault_recipients', [
      {
        id: '3',
        profile_id: 'a',
        username: 'ada',
        display_name: 'Ada',
        avatar_url: null,
        updated_at: at,
        post_id: 'p1',
        price: 500,
        is_bought: true,
        received_at: at,
      },
      {
        id: '4',
        profile_id: 'b',
        username: 'bo',
        display_name: 'Bo',
        avatar_url: null,
        updated_at: at,
        post_id: null,
        price: 900,
        is_bought: false,
        received_at: at,
      },
    ]),
  )
  renderRoute('/vault')
  await userEvent.click(await screen.findByRole('button', { name: 'Sea.jpg' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Sea.jpg' }))
  expect(await sheet.findByRole('link', { name: 'Dawn' })).toHaveAttribute('href', '/post/p1')
  expect(sheet.getByRole('link', { name: 'Message to Ada' })).toHaveAttribute('href', '/messages?with=ada')
  expect(sheet.getByText('Bought a post for $5.00 · May 4, 2026')).toBeVisible()
  expect(sheet.getByText("Hasn't unlocked a message for $9.00 · May 4, 2026")).toBeVisible()
  await userEvent.type(sheet.getByLabelText('Alt text'), 'A calm sea')
  await userEvent.click(sheet.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(asked).toEqual([['describe', { name: 'Sea.jpg', alt_text: 'A calm sea', caption: null }]]))
})
