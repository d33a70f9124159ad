import { Menu, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { shellTexts } from '@ovation/contract/texts/common'
import {
  IconBookmark,
  IconBuildingBank,
  IconCalendarEvent,
  IconChartBar,
  IconGift,
  IconLogout,
  IconRepeat,
  IconSettings,
  IconShare3,
  IconShieldLock,
  IconStack2,
  IconUser,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useReportedTimeZone } from '../../features/notifications/use-reported-time-zone.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { forgetLocalData } from '../../lib/auth/local-data.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { useViewer } from '../../lib/auth/viewer.ts'
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

  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
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
          {shellTexts.subscriptions}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.privateSessions} leftSection={<IconCalendarEvent {...icon} />}>
          {shellTexts.sessions}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.saved} leftSection={<IconBookmark {...icon} />}>
          {shellTexts.savedPosts}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{shellTexts.forCreators}</Menu.Label>
        <Menu.Item component={Link} to={paths.dashboard} leftSection={<IconChartBar {...icon} />}>
          {shellTexts.dashboard}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.creatorOnboarding} leftSection={<IconBuildingBank {...icon} />}>
          {shellTexts.creatorSetup}
        </Menu.Item>
        {viewer?.isCreator && (
          <Menu.Item component={Link} to={paths.subscriptionProducts} leftSection={<IconStack2 {...icon} />}>
            {shellTexts.plans}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.settings} leftSection={<IconSettings {...icon} />}>
          {shellTexts.settings}
        </Menu.Item>
        {address && (
          <Menu.Item
            leftSection={<IconShare3 {...icon} />}
            onClick={() => void share({ title: name ?? address, path: paths.profile(address) })}
          >
            {shellTexts.shareProfile}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to={paths.referrals} leftSection={<IconGift {...icon} />}>
          {shellTexts.referrals}
        </Menu.Item>
        {viewer?.isAdmin && (
          <Menu.Item component={Link} to={paths.admin} leftSection={<IconShieldLock {...icon} />}>
            {shellTexts.adminPanel}
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
    mutationFn: async () => {
      const { error } = await (await authClient()).signOut({ scope: 'local' })
      if (error) throw error
    },
    onSuccess: () => {
      forgetLocalData()
      void navigate(paths.auth)
    },
    onError: (error) => toast.error(errorMessageOf(error)),
  })
  return (
    <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => logOut.mutate()}>
      {shellTexts.logOut}
    </Menu.Item>
  )
}
