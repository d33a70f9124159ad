import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { connectedAppsTexts } from '@ovation/contract/texts/connected-apps'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { MessageState } from '../../ui/message-state.tsx'

const texts = connectedAppsTexts.consent
type Why = keyof typeof texts.refused

/** The reason for an error code; `failed` if a retry may help. */
export function refusalOf(error: object): Why | 'failed' {
  const code = 'code' in error ? error.code : undefined
  if (code === 'oauth_client_not_found') return 'unknown'
  if (code === 'validation_failed') return 'broken'
  if (code === 'over_request_rate_limit') return 'busy'
  // Without an id, there is no request.
  if (code === 'oauth_authorization_not_found' || code === null) return 'closed'
  return 'failed'
}

/** The request can't be answered, by anyone or by this user. */
export function NothingToDecide({ why }: { why: Why | 'failed' }) {
  const { title, message } = texts.refused[why === 'failed' ? 'closed' : why]
  return (
    <div role="alert">
      <MessageState
        order={1}
        icon={<IconPlugConnectedX size={26} stroke={1.5} />}
        title={title}
        message={message}
        action={
          <Button component={Link} to={paths.home}>
            {texts.home}
          </Button>
        }
      />
    </div>
  )
}
