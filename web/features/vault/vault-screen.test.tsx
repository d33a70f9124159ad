import { vaultPageSize } from '@ovation/contract/limits'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildVaultFile } from '../../testing/rows.ts'
import { signFiles } from '../../testing/sign-files.ts'
import { signIn } from '../../testing/sign-in.ts'

const creator = { is_creator: true, is_verified: true }

/** Serves the vault, and records the parameters of each request. */
function serveVault(pageOf: (asked: URLSearchParams) => Record<string, unknown>[]) {
  const asked: Record<string, string>[] = []
  network.use(
    http.get('*/rest/v1/rpc/get_vault_files', ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push(Object.fromEntries(searchParams))
      return HttpResponse.json(pageOf(searchParams))
    }),
    answer('rpc/get_vault_uses', []),
    answer('rpc/get_vault_recipients', []),
  )
  signFiles({ bucket: 'vault' })
  return asked
}

it('shows the files of the vault and what is known of each', async () => {
  signIn(creator)
  serveVault(() => [
    buildVaultFile({
      name: 'Lighthouse.jpg',
      size_bytes: 2 * 1024 ** 2,
      width: 1600,
      height: 900,
      sales: 3,
      earned_cents: 2700,
    }),
    buildVaultFile({
      name: null,
      kind: 'video',
      mime_type: 'video/mp4',
      duration: 75,
      created_at: '2026-05-04T10:00:00Z',
    }),
  ])
  renderRoute('/vault')
  expect(await screen.findByRole('button', { name: 'Video from May 4, 2026' })).toHaveTextContent('1:15')
  await userEvent.click(screen.getByRole('button', { name: 'Lighthouse.jpg' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Lighthouse.jpg' }))
  expect(sheet.getByText('1600 × 900')).toBeVisible()
  expect(sheet.getByText('$27.00')).toBeVisible()
  expect(await sheet.findByText('Not in any post, message, or story yet.')).toBeVisible()
  expect(await sheet.findByRole('img', { name: 'Lighthouse.jpg' })).toBeVisible()
})

it('filters, sorts, and searches, and keeps that in the address [VAULT-01]', async () => {
  signIn(creator)
  const asked = serveVault((parameters) =>
    parameters.has('search')
      ? []
      : [buildVaultFile({ name: parameters.get('kind') === 'video' ? 'Clip.mp4' : 'Sea.jpg' })],
  )
  renderRoute('/vault')
  expect(await screen.findByRole('button', { name: 'Sea.jpg' })).toBeVisible()
  await userEvent.click(screen.getByRole('radio', { name: 'Videos' }))
  expect(await screen.findByRole('button', { name: 'Clip.mp4' })).toBeVisible()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Where used' }), 'Never used')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Largest first')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'harbor')
  expect(await screen.findByText('No files match')).toBeVisible()
  expect(asked.at(-1)).toEqual({ kind: 'video', usage: 'unused', sort: 'largest', search: 'harbor', page_size: '60' })
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByRole('button', { name: 'Sea.jpg' })).toBeVisible()
  expect(screen.getByRole('searchbox', { name: 'Search by name' })).toHaveValue('')
})

it('starts with the filters of the address', async () => {
  signIn(creator)
  const asked = serveVault(() => [buildVaultFile({ name: 'Sea.jpg' })])
  renderRoute('/vault?type=image&use=posts&sort=oldest&q=sea')
  expect(await screen.findByRole('button', { name: 'Sea.jpg' })).toBeVisible()
  expect(asked).toEqual([{ kind: 'image', usage: 'posts', sort: 'oldest', search: 'sea', page_size: '60' }])
})

it('continues after the last file of a page', async () => {
  signIn(creator)
  const first = Array.from({ length: vaultPageSize }, (_, index) => buildVaultFile({ name: `File ${index}` }))
  const last = first.at(-1)
  const asked = serveVault((parameters) =>
    parameters.has('after_id') ? [buildVaultFile({ name: 'One more' })] : first,
  )
  renderRoute('/vault')
  await screen.findByRole('button', { name: 'File 0' })
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await screen.findByRole('button', { name: 'One more' })).toBeVisible()
  expect(asked.at(-1)).toMatchObject({ after_id: last?.id, after_value: last?.created_at })
})

it('says so when it is empty, and offers Retry when it fails', async () => {
  signIn(creator)
  network.use(fail('rpc/get_vault_files'))
  renderRoute('/vault')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  network.use(answer('rpc/get_vault_files', []))
  await userEvent.click(retry)
  expect(await screen.findByText('Nothing here yet')).toBeVisible()
})

it.each([
  [null, '1.5 GB used'],
  [2 * 1024 ** 3, '1.5 GB of 2 GB used · 512 MB left'],
])('shows used and remaining space [VAULT-07]', async (quota, words) => {
  signIn(creator)
  serveVault(() => [])
  network.use(answer('rpc/get_vault_space', [{ used_bytes: 1.5 * 1024 ** 3, quota_bytes: quota, own_quota_gb: null }]))
  renderRoute('/vault')
  expect(await screen.findByText(words)).toBeVisible()
  expect(screen.queryAllByRole('progressbar', { name: 'Used space' })).toHaveLength(quota === null ? 0 : 1)
})

it('is for creators only [VAULT-01]', async () => {
  signIn()
  renderRoute('/vault')
  expect(await screen.findByText('The vault is for creators')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Become a creator' })).toHaveAttribute('href', '/creator-verification')
})
