import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

/** The viewer's own profile, as a creator. */
const serveOwn = (over = {}) => serveProfile({ user_id: viewerProfile.user_id, ...over })

it('keeps a creator’s choice to have names on photos at once, and goes back when that fails [POST-47]', async () => {
  const sent: unknown[] = []
  signIn()
  const { id } = serveOwn()
  network.use(
    http.post('*/rest/v1/media_settings', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: sent.length === 1 ? 201 : 500 })
    }),
    answer('media_settings', []),
  )
  renderRoute('/profile/noor')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  const choice = await screen.findByRole('switch', { name: /^Watermark my photos/ })
  await waitFor(() => expect(choice).toBeEnabled())
  expect(choice).not.toBeChecked()
  await userEvent.click(choice)
  expect(await screen.findByText('Saved')).toBeVisible()
  await waitFor(() => expect(choice).toHaveAttribute('aria-disabled', 'false'))
  expect(choice).toBeChecked()
  expect(choice).toHaveFocus()
  await userEvent.click(choice)
  expect(await screen.findByText("Couldn't save your choice")).toBeVisible()
  expect(choice).toBeChecked()
  expect(sent).toEqual([
    { profile_id: id, watermark: true },
    { profile_id: id, watermark: false },
  ])
})

it('offers names on photos to creators alone', async () => {
  signIn()
  serveOwn({ is_creator: false })
  renderRoute('/profile/noor')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  expect(await screen.findByLabelText('Website')).toBeVisible()
  expect(screen.queryByRole('switch')).not.toBeInTheDocument()
})
