import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { subscriptionProductsTexts } from '@ovation/contract/texts/subscription-products'
import { IconBuildingBank, IconIdBadge2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { MessageState } from '../../ui/message-state.tsx'

const gates = {
  approvalFirst: { to: paths.creatorVerification, icon: <IconIdBadge2 size={26} stroke={1.5} /> },
  onboardingFirst: { to: paths.creatorOnboarding, icon: <IconBuildingBank size={26} stroke={1.5} /> },
}

type Props = {
  missing: keyof typeof gates
  /** Replaces the text about plans, for other things to sell. */
  text?: string
}

/** The steps that are missing before the first sale, with a link (PROD-08, D25). */
export function ProductGate({ missing, text }: Props) {
  const { title, message, action } = subscriptionProductsTexts[missing]
  const { to, icon } = gates[missing]
  return (
    <div className="surface">
      <MessageState
        icon={icon}
        title={title}
        message={text ?? message}
        action={
          <Button component={Link} to={to}>
            {action}
          </Button>
        }
      />
    </div>
  )
}
