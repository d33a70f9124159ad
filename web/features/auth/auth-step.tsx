import { Anchor, Text, Title } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './auth-screen.module.css'

type Props = { title: string; message?: string; onBack?: () => void; backLabel?: string; children: ReactNode }

/** A step that replaces the two tabs: title, form, and a back button. */
export function AuthStep({ title, message, onBack, backLabel = accessTexts.back, children }: Props) {
  return (
    <div className={classes.step}>
      <Title order={2} className={classes.stepTitle} tabIndex={-1} mb={message ? undefined : 'lg'}>
        {title}
      </Title>
      {message && (
        <Text c="dimmed" mb="lg">
          {message}
        </Text>
      )}
      {children}
      {onBack && (
        <Anchor component="button" type="button" onClick={onBack} className={classes.back}>
          <IconArrowLeft size={16} aria-hidden="true" /> {backLabel}
        </Anchor>
      )}
    </div>
  )
}
