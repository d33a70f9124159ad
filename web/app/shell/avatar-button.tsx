import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core'
import { shellTexts } from '@ovation/contract/texts/common'
import type { ComponentPropsWithRef } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useIsPhone } from '../../lib/browser/use-is-phone.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import classes from './avatar-button.module.css'

/** Opens the avatar menu. Rendered alone while the menu's code loads. */
export function AvatarButton(props: UnstyledButtonProps & ComponentPropsWithRef<'button'>) {
  const viewer = useViewer()
  const isPhone = useIsPhone()
  return (
    <UnstyledButton {...props} className={`reach ${classes.button}`} aria-label={shellTexts.account}>
      <ProfileAvatar
        name={viewer?.displayName || viewer?.username || ''}
        src={viewer?.avatarUrl}
        size={isPhone ? 30 : 38}
      />
    </UnstyledButton>
  )
}
