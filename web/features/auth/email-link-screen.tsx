import { Anchor, Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { IconLinkOff, IconMailOpened } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { apiUrl } from '../../lib/api/api-url.ts'
import { MessageState } from '../../ui/message-state.tsx'
import { Page } from '../../ui/page.tsx'

const { page: pageTexts, broken } = accessTexts.link
const icon = { size: 26, stroke: 1.5 } as const

/**
 * The target of links in emails. They work once, and mail scanners open links, so only a click on this button uses the link. It continues
 * at auth/v1 (`GET /verify`), in the link's own flow.
 */
export function EmailLinkScreen() {
  const carried = new URLSearchParams(useLocation().hash.slice(1))
  const [leaving, setLeaving] = useState(false)
  const type = carried.get('type') ?? ''
  if (!carried.get('token') || !isKnown(type))
    return (
      <Page title={broken.title} heading={null} width="narrow">
        <MessageState
          order={1}
          icon={<IconLinkOff {...icon} />}
          title={broken.title}
          message={broken.message}
          action={
            <Anchor component={Link} to={paths.auth}>
              {broken.action}
            </Anchor>
          }
        />
      </Page>
    )

  const { title, message, button } = pageTexts[type]
  const proceed = () => {
    setLeaving(true)
    // `replace`, because the link works once.
    window.location.replace(`${apiUrl('auth')}/verify?${carried}`)
  }
  return (
    <Page title={title} heading={null} width="narrow">
      <MessageState
        order={1}
        icon={<IconMailOpened {...icon} />}
        title={title}
        message={message}
        action={
          <Button size="md" onClick={proceed} loading={leaving}>
            {button}
          </Button>
        }
      />
    </Page>
  )
}

const isKnown = (type: string): type is keyof typeof pageTexts => Object.hasOwn(pageTexts, type)
