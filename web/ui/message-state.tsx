import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './message-state.module.css'

type Props = {
  icon: ReactNode
  title: string
  message?: ReactNode
  /** What the user can do next. */
  action?: ReactNode
  /** 1 when the message is the whole screen. */
  order?: 1 | 2 | 3
}

/** A centered message in place of content, shared by empty and failed lists. */
export function MessageState({ icon, title, message, action, order = 2 }: Props) {
  return (
    <div className={classes.state}>
      <div className={classes.icon} aria-hidden="true">
        {icon}
      </div>
      <Title order={order} className={classes.title}>
        {title}
      </Title>
      {message && (
        <Text c="dimmed" className={classes.message}>
          {message}
        </Text>
      )}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
