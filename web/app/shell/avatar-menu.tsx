import { Menu, Text } from '@mantine/core'
import { badgeCap } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { menuTexts } from '@ovation/contract/texts/account-menu'
import { shellTexts } from '@ovation/contract/texts/common'
import {
  IconBookmark,
  IconBooks,
  IconBuildingBank,
  IconCalendarEvent,
  IconChartBar,
  IconGift,
  IconLogout,
  IconPhoto,
  IconRepeat,
  IconSettings,
  IconShare3,
  IconShieldLock,
  IconStack2,
  IconUser,
} from '@tabler/icons-react'
import { onlineManager, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useWaitingForAdmin } from '../../features/admin/queues.ts'
import { useReportedTimeZone } from '../../features/notifications/use-reported-time-zone.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { signOut } from '../../lib/auth/sign-out.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useIsPhone } from '../../lib/browser/use-is-phone.ts'
import { formatBadge } from '../../lib/format/format-number.ts'
import { share } from '../../ui/share.ts'
import { toast } from '../../ui/toast.ts'
import { AppearanceSwitch } from './appearance-switch.tsx'
import { AvatarButton } from './avatar-button.tsx'
import classes from './avatar-menu.module.css'

const icon = { size: 18, stroke: 1.6 }

export type AvatarMenuProps = {
  /** Whether it was clicked before its code loaded: then it opens at once. */
  opened: boolean
  /** Whether the button that it replaces had the focus. */
  focused: boolean
}

/**
 * GEN-25..GEN-30, in the specification's order and in groups: the user's own, what creators need, and the account (LOOP-20). The creators'
 * entries are there for everyone, because everyone can become one (GEN-26).
 */
export default function AvatarMenu({ opened: openAtOnce, focused }: AvatarMenuProps) {
  const [opened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Before it opens, so that the focus returns to the button on closing.
    if (focused || openAtOnce) button.current?.focus()
    if (openAtOnce) setOpened(true)
  }, [focused, openAtOnce])
  const { user } = useSession()
  const viewer = useViewer()
  // Here, because this code loads once the screen is idle, and the first screen has no room for it.
  useReportedTimeZone(viewer?.profileId)
  const name = viewer?.displayName || viewer?.username
  const address = viewer?.username ?? user?.id
  const isPhone = useIsPhone()
  const waiting = useWaitingForAdmin()
  const count = waiting > 0 ? formatBadge(waiting, badgeCap) : undefined

  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position={isPhone ? 'top-end' : 'bottom-end'}
      width={252}
      offset={8}
      shadow="md"
      radius="lg"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      classNames={{ dropdown: classes.menu }}
    >
      <Menu.Target>
        <AvatarButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.person}>
          {name && (
            <Text fw={600} truncate dir="auto" ta="left">
              {name}
            </Text>
          )}
          <Text size="sm" c="dimmed" truncate>
            {user?.email}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.ownProfile} leftSection={<IconUser {...icon} />}>
          {shellTexts.profile}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.subscriptions} leftSection={<IconRepeat {...icon} />}>
          {menuTexts.subscriptions}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.privateSessions} leftSection={<IconCalendarEvent {...icon} />}>
          {menuTexts.sessions}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.library} leftSection={<IconBooks {...icon} />}>
          {menuTexts.library}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.saved} leftSection={<IconBookmark {...icon} />}>
          {menuTexts.savedPosts}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{menuTexts.forCreators}</Menu.Label>
        <Menu.Item component={Link} to={paths.dashboard} leftSection={<IconChartBar {...icon} />}>
          {menuTexts.dashboard}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.creatorOnboarding} leftSection={<IconBuildingBank {...icon} />}>
          {menuTexts.creatorSetup}
        </Menu.Item>
        {viewer?.isCreator && (
          <Menu.Item component={Link} to={paths.subscriptionProducts} leftSection={<IconStack2 {...icon} />}>
            {menuTexts.plans}
          </Menu.Item>
        )}
        {viewer?.isCreator && viewer.mayPublish && (
          <Menu.Item component={Link} to={paths.vault} leftSection={<IconPhoto {...icon} />}>
            {menuTexts.vault}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.settings} leftSection={<IconSettings {...icon} />}>
          {menuTexts.settings}
        </Menu.Item>
        {address && (
          <Menu.Item
            leftSection={<IconShare3 {...icon} />}
            onClick={() => void share({ title: name ?? address, path: paths.profile(address) })}
          >
            {menuTexts.shareProfile}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to={paths.referrals} leftSection={<IconGift {...icon} />}>
          {menuTexts.referrals}
        </Menu.Item>
        {viewer?.isAdmin && (
          <Menu.Item
            component={Link}
            to={paths.adminOverview}
            leftSection={<IconShieldLock {...icon} />}
            aria-label={count && menuTexts.adminPanelWaiting(menuTexts.adminPanel, count)}
            rightSection={count && <span className={classes.count}>{count}</span>}
          >
            {menuTexts.adminPanel}
          </Menu.Item>
        )}
        <LogOut />
        <Menu.Divider />
        <AppearanceSwitch />
      </Menu.Dropdown>
    </Menu>
  )
}

/** A separate component because it reads the location: the closed menu doesn't re-render with each screen. */
function LogOut() {
  const navigate = useNavigate()
  const logOut = useMutation({
    mutationFn: signOut,
    // The client isn't loaded without a connection, so a new document finds out that there is no session.
    onSuccess: () => (onlineManager.isOnline() ? void navigate(paths.auth) : window.location.assign(paths.auth)),
    onError: (error) => toast.error(errorMessageOf(error)),
  })
  return (
    <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => logOut.mutate()}>
      {menuTexts.logOut}
    </Menu.Item>
  )
}
