import { lazy, Suspense } from 'react'
import { appConfig } from '../../lib/api/config.ts'
import { useSession } from '../../lib/auth/session.tsx'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { DangerZone } from './danger-zone.tsx'
import { DataExport } from './data-export.tsx'
import { EmailForm } from './email-form.tsx'
import { KeyLists } from './passkeys-and-factors.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import classes from './settings.module.css'
import { Services } from './sign-in-providers.tsx'
import { Sessions } from './signed-in-devices.tsx'
import { TwoFactor } from './two-factor.tsx'

const CustomDomain = lazy(() => import('./custom-domain.tsx'))
const PageSettings = lazy(() => import('./page-settings.tsx'))

/** Profile, sign-in methods, and account (SET-08..SET-14, SET-21..SET-23, D38), and a creator's page (PAGE-01). */
export default function AccountTab({ viewer }: { viewer: Viewer }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <div className={classes.sections}>
      <ProfileForm profileId={viewer.profileId} />
      {viewer.mayPublish && (
        <Suspense fallback={<ListSkeleton rows={3} />}>
          <PageSettings viewer={viewer} />
        </Suspense>
      )}
      {viewer.mayPublish && appConfig().hasCustomDomains && (
        <Suspense fallback={<ListSkeleton rows={1} />}>
          <CustomDomain profileId={viewer.profileId} />
        </Suspense>
      )}
      <EmailForm user={user} />
      <PasswordForm user={user} />
      <TwoFactor />
      <KeyLists />
      <Services />
      <ConnectedApps />
      <Sessions profileId={viewer.profileId} />
      <DataExport />
      <DangerZone />
    </div>
  )
}
