import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import type { Profile } from '../features/profiles/queries.ts'
import { answer, network } from './network.ts'
import { buildProfile } from './rows.ts'
import { viewerProfile } from './sign-in.ts'

/** Another user's profile without posts, for the viewer of `signIn` or a visitor. */
export function serveProfile(over: Partial<Profile> = {}, viewer: object = viewerProfile) {
  const row = buildProfile(over)
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const asked = new URL(request.url).searchParams
      return HttpResponse.json(asked.get('user_id') === `eq.${viewerProfile.user_id}` ? viewer : row)
    }),
    answer('posts', []),
    answer('follows', []),
    answer('subscriptions', []),
  )
  return row
}

/** A count in a profile's header. */
export const statistic = (label: string) =>
  within(screen.getByText(label).closest('div') as HTMLElement).getByRole('definition')
