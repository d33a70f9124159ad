import { ActionIcon } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './messages-screen.module.css'

/** A phone shows either the list or a thread. */
export const BackToConversations = () => (
  <ActionIcon
    component={Link}
    to={paths.messages}
    className={classes.back}
    variant="subtle"
    color="gray"
    size={44}
    radius="xl"
    aria-label={messageTexts.back}
    preventScrollReset
  >
    <IconArrowLeft size={22} stroke={1.7} />
  </ActionIcon>
)
