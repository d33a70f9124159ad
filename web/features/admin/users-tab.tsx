import { Anchor, Badge, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { paths } from '@ovation/contract/paths'
import { adminTexts } from '@ovation/contract/texts/admin'
import { accountAdminTexts } from '@ovation/contract/texts/broadcast'
import { commonTexts } from '@ovation/contract/texts/common'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { vaultTexts } from '@ovation/contract/texts/vault'
import {
  IconLibraryPhoto,
  IconMail,
  IconReceipt,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  IconUserSearch,
} from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { addressOf, nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents, pluralize } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { Address } from './address.tsx'
import { AdminList } from './admin-list.tsx'
import classes from './admin-screen.module.css'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { EditEmailDialog } from './edit-email-dialog.tsx'
import { type ListedUser, usersKey, usersQuery } from './user-queries.ts'

const SuspendDialog = lazy(() =>
  import('../../domain/suspension/suspension-dialog.tsx').then((module) => ({ default: module.SuspendDialog })),
)
const ReinstateDialog = lazy(() =>
  import('../../domain/suspension/suspension-dialog.tsx').then((module) => ({ default: module.ReinstateDialog })),
)

const texts = adminTexts.users
const typingPauseMs = 300

const VaultQuotaDialog = lazy(() => import('./vault-quota-dialog.tsx'))

type UserDialog = 'email' | 'delete' | 'suspend' | 'reinstate' | 'quota'

/** ADM-16, ADM-21 */
export default function UsersTab() {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), typingPauseMs)
  const query = useInfiniteQuery(usersQuery(search))
  const [opened, setOpened] = useState<{ dialog: UserDialog; user: ListedUser } | null>(null)
  const close = () => setOpened(null)
  const queryClient = useQueryClient()
  const again = () => void queryClient.invalidateQueries({ queryKey: usersKey })

  return (
    <>
      <SearchField
        label={texts.search}
        className={classes.search}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <AdminList
        query={query}
        rows={query.data?.pages.flat()}
        label={texts.list}
        empty={search ? texts.noneFound(search) : texts.none}
        icon={IconUserSearch}
        failure={{ title: texts.loadFailed(errorMessageOf(query.error)), message: null }}
      >
        {(user) => <UserRow key={user.id} user={user} onOpen={(dialog) => setOpened({ dialog, user })} />}
      </AdminList>
      {opened?.dialog === 'email' && <EditEmailDialog user={opened.user} onClose={close} />}
      {opened?.dialog === 'delete' && <DeleteAccountDialog user={opened.user} onClose={close} />}
      <Suspense>
        {opened?.dialog === 'quota' && <VaultQuotaDialog user={opened.user} onClose={close} />}
        {opened?.dialog === 'suspend' && (
          <SuspendDialog profileId={opened.user.id} name={nameOf(opened.user)} onDone={again} onClose={close} />
        )}
        {opened?.dialog === 'reinstate' && (
          <ReinstateDialog
            profileId={opened.user.id}
            name={nameOf(opened.user)}
            reason={opened.user.suspension_reason ?? ''}
            onDone={again}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

function UserRow({ user, onOpen }: { user: ListedUser; onOpen: (dialog: UserDialog) => void }) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const { avatar_url, updated_at, email, role, is_verified, is_creator, created_at, total_posts, total_earnings } = user
  const suspension = user.suspended_at
    ? { label: operationsTexts.suspension.reinstate, icon: IconUserCheck, onSelect: () => onOpen('reinstate') }
    : { label: operationsTexts.suspension.suspend, icon: IconUserOff, onSelect: () => onOpen('suspend') }
  const mark = role === 'admin' ? texts.admin : is_creator ? commonTexts.creator : null
  return (
    <li className={`surface ${classes.row} ${classes.user}`}>
      <ProfileAvatar name={nameOf(user)} src={publicImage(avatar_url, updated_at)} />
      <div className={classes.text}>
        <h2 className={classes.name}>
          <bdi>{nameOf(user)}</bdi> {is_verified && <VerifiedBadge />}
        </h2>
        <Text size="sm" c="dimmed" className="facts">
          <span>
            <Anchor component={Link} to={paths.profile(addressOf(user))} inherit underline="always" className="reach">
              @{addressOf(user)}
            </Anchor>
          </span>
          <span>{texts.joined(formatDate(created_at))}</span>
        </Text>
        <Text size="sm">{email ? <Address of={email} /> : texts.noEmail}</Text>
      </div>
      {(mark || user.suspended_at) && (
        <div className={classes.badges}>
          {mark && <Badge variant="default">{mark}</Badge>}
          {user.suspended_at && (
            <Badge variant="light" color="crimson" className={classes.badge} data-status="rejected">
              {operationsTexts.suspension.badge}
            </Badge>
          )}
        </div>
      )}
      <dl className={classes.figures}>
        <div>
          <dt className="visually-hidden">{texts.posts}</dt>
          <dd>{pluralize(total_posts, 'post')}</dd>
        </div>
        <div>
          <dt className="visually-hidden">{texts.earnings}</dt>
          <dd>{texts.earned(formatCents(total_earnings))}</dd>
        </div>
      </dl>
      <MoreButton
        label={accountAdminTexts.actions(nameOf(user))}
        actions={[
          { label: accountAdminTexts.editEmail, icon: IconMail, onSelect: () => onOpen('email') },
          {
            label: operationsTexts.payments.open,
            icon: IconReceipt,
            onSelect: () => void navigate(paths.adminPayments(user.username)),
          },
          ...(is_verified
            ? [{ label: vaultTexts.quota.open, icon: IconLibraryPhoto, onSelect: () => onOpen('quota') }]
            : []),
          // Admins change their own account in Settings, which requires the password.
          ...(user.id === viewer?.profileId
            ? []
            : [
                suspension,
                { label: accountAdminTexts.deleteAccount, icon: IconTrash, onSelect: () => onOpen('delete') },
              ]),
        ]}
      />
    </li>
  )
}
