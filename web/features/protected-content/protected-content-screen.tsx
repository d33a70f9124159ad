import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { premiumTexts } from '@ovation/contract/texts/protected-content'
import { IconLock, IconUserOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearchParams } from 'react-router'
import { useSession } from '../../lib/auth/session.tsx'
import { signInPath } from '../../lib/auth/sign-in-path.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { Gate } from './gate.tsx'
import { PremiumSkeleton } from './premium-skeleton.tsx'
import { premiumCreatorQuery } from './queries.ts'

/** PREM-01. Visitors see an explanation and aren't redirected (PREM-04). */
export function ProtectedContentScreen() {
  const { user, loading } = useSession()
  if (loading) return <Loading />
  return user ? <ForSignedIn /> : <SignInRequired />
}

function ForSignedIn() {
  const [parameters] = useSearchParams()
  const creator = useQuery(premiumCreatorQuery(parameters.get('creator_id')))
  if (creator.isPending) return <Loading />
  if (creator.isError)
    return (
      <Frame>
        <LoadFailed order={1} title={premiumTexts.loadFailed} of={creator} />
      </Frame>
    )
  if (!creator.data)
    return (
      <Frame>
        <EmptyState
          order={1}
          icon={<IconUserOff size={26} stroke={1.5} />}
          {...premiumTexts.creatorMissing}
          action={
            <Button component={Link} to={paths.explore} variant="default">
              {postTexts.exploreAll}
            </Button>
          }
        />
      </Frame>
    )
  const found = creator.data
  return (
    <Page title={premiumTexts.titleOf(nameOf(found))} heading={null} width="wide">
      <ForViewer skeleton={<PremiumSkeleton />}>
        {(viewer) => <Gate key={found.id} viewer={viewer} creator={found} />}
      </ForViewer>
    </Page>
  )
}

function SignInRequired() {
  const location = useLocation()
  return (
    <Frame>
      <EmptyState
        order={1}
        icon={<IconLock size={26} stroke={1.5} />}
        title={premiumTexts.signIn.title}
        message={premiumTexts.signIn.message}
        action={
          <Button component={Link} to={signInPath(location)}>
            {premiumTexts.signIn.action}
          </Button>
        }
      />
    </Frame>
  )
}

/** As wide as the content. */
const Loading = () => (
  <Page title={premiumTexts.title} heading={null} width="wide">
    <PremiumSkeleton />
  </Page>
)

const Frame = ({ children }: { children: React.ReactNode }) => (
  <Page title={premiumTexts.title} heading={null}>
    {children}
  </Page>
)
