import { commonTexts } from '@ovation/contract/texts/common'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

it('saves what was edited, and refuses a website that is none [PROF-08, PROF-10]', async () => {
  signIn({ is_verified: true })
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id })
  const sent: unknown[] = []
  network.use(
    http.patch('*/rest/v1/profiles', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  const website = await screen.findByLabelText('Website')
  expect(website).toHaveAttribute('type', 'url')
  await userEvent.clear(website)
  await userEvent.type(website, 'noor')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter a full address, such as https://example.com')).toBeVisible()
  expect(sent).toEqual([])
  await userEvent.clear(website)
  await userEvent.type(website, 'https://noor.example/prints')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Travel' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Profile updated')).toBeVisible()
  expect(sent).toMatchObject([{ website_url: 'https://noor.example/prints', categories: ['Photography', 'Travel'] }])
})

it('edits display name, bio, website, creator flag, avatar, and banner [PROF-08]', async () => {
  signIn()
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id, is_creator: false, is_verified: false })
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  for (const label of ['Display name', 'Bio', 'Website', "I'm a creator"])
    expect(await screen.findByLabelText(label)).toBeVisible()
  for (const label of ['Profile picture', 'Cover banner'])
    expect(document.querySelector(`input[type=file][aria-label="${label}"]`)).toBeInTheDocument()
})

it('asks before an edit that is not saved is lost by Escape, and not when there is none [PROF-08]', async () => {
  signIn()
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id })
  renderRoute('/profile')
  const edit = await screen.findByRole('button', { name: 'Edit Profile' })
  await userEvent.click(edit)
  await screen.findByLabelText('Bio')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await userEvent.click(edit)
  await userEvent.type(await screen.findByLabelText('Bio'), ' And more.')
  await userEvent.keyboard('{Escape}')
  const question = await screen.findByRole('dialog', { name: 'Discard your changes?' })
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(question).not.toBeInTheDocument())
  expect(screen.getByLabelText('Bio')).toHaveValue('Photographer in Lisbon. And more.')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await userEvent.click(edit)
  expect(await screen.findByLabelText('Bio')).toHaveValue('Photographer in Lisbon.')
})

it('says so when an edit failed, and keeps it on the screen [PROF-13]', async () => {
  signIn()
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id })
  network.use(http.patch('*/rest/v1/profiles', () => HttpResponse.json({ message: 'down' }, { status: 500 })))
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  const bio = await screen.findByLabelText('Bio')
  await userEvent.clear(bio)
  await userEvent.type(bio, 'New words')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Failed to update profile')).toBeVisible()
  expect(bio).toHaveValue('New words')
  // Without a connection a browser has words of its own, which are for programs.
  network.use(http.patch('*/rest/v1/profiles', () => HttpResponse.error()))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(commonTexts.offline)).toBeVisible()
  expect(screen.queryByText(/fetch/i)).not.toBeInTheDocument()
})

it.each([
  ['Profile picture', 'avatars', 'Crop profile picture'],
  ['Cover banner', 'banners', 'Crop cover banner'],
])('takes pictures only for %s, and says when one was not sent [PROF-11, PROF-12]', async (label, bucket, title) => {
  const user = userEvent.setup({ applyAccept: false })
  signIn()
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id })
  network.use(
    http.post(`*/storage/v1/object/${bucket}/*`, () => HttpResponse.json({ message: 'down' }, { status: 500 })),
  )
  renderRoute('/profile')
  await user.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  await screen.findByText(label)
  const input = document.querySelector<HTMLInputElement>(`input[type=file][aria-label="${label}"]`)
  if (!input) throw new Error('no file input')
  await user.upload(input, new File(['x'], 'x.pdf', { type: 'application/pdf' }))
  expect(await screen.findByText('Choose a JPEG, PNG, WebP, or GIF image.')).toBeVisible()
  await user.upload(input, new File(['x'], 'x.png', { type: 'image/png' }))
  const picture = () => screen.findByRole('dialog', { name: title })
  await user.click(within(await picture()).getByRole('button', { name: 'Cancel' }))
  // The same file may be chosen again: a browser reports it only if the input was cleared.
  expect(input.files).toHaveLength(0)
  await user.upload(input, new File(['x'], 'x.png', { type: 'image/png' }))
  const crop = within(await picture())
  expect(crop.getByRole('slider', { name: 'Zoom' })).toBeInTheDocument()
  await user.click(crop.getByRole('button', { name: 'Use image' }))
  const failure = await screen.findByText('Please try again.')
  expect(within(failure.closest('[role=alert]') as HTMLElement).getByText('Upload failed')).toBeVisible()
})

it('lets anybody become a creator, which alone gives no badge and nothing to sell [PROF-09, D25]', async () => {
  signIn({ is_creator: true })
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id, is_creator: true, is_verified: false })
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  expect(await screen.findByRole('checkbox', { name: "I'm a creator" })).toBeChecked()
  expect(screen.getByText('You can publish once your identity is verified.')).toBeVisible()
  expect(screen.queryByText('Creator')).not.toBeInTheDocument()
  expect(screen.queryByRole('tab', { name: 'Subscribe' })).not.toBeInTheDocument()
})

it('takes up to three categories from a creator [EXPL-06, D36]', async () => {
  signIn({ is_verified: true })
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id, categories: ['Art', 'Travel'] })
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Wellness' }))
  expect(screen.getByRole('checkbox', { name: 'Fitness' })).toBeDisabled()
  expect(screen.getByText("You've chosen 3. Remove one to add another.")).toBeVisible()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Art' }))
  expect(screen.getByRole('checkbox', { name: 'Fitness' })).toBeEnabled()
})
