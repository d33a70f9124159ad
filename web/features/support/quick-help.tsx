import { UnstyledButton } from '@mantine/core'
import { type SupportCategory, supportCategories } from '@ovation/contract/limits'
import { supportTexts } from '@ovation/contract/texts/support'
import { IconBrush, IconCreditCard, IconHelpCircle, IconShield, IconTool, IconUser } from '@tabler/icons-react'
import classes from './quick-help.module.css'

const icons = {
  Account: IconUser,
  Billing: IconCreditCard,
  Technical: IconTool,
  Safety: IconShield,
  Creator: IconBrush,
  Other: IconHelpCircle,
} satisfies Record<SupportCategory, typeof IconUser>

type Props = { chosen: SupportCategory | ''; onChoose: (category: SupportCategory) => void }

/** SUPP-04, D43 */
export function QuickHelp({ chosen, onChoose }: Props) {
  return (
    <div className={classes.grid}>
      {supportCategories.map((category) => {
        const Icon = icons[category]
        return (
          <UnstyledButton
            key={category}
            className={`surface ${classes.category}`}
            aria-pressed={category === chosen}
            onClick={() => onChoose(category)}
          >
            <Icon className={classes.icon} size={22} stroke={1.5} aria-hidden="true" />
            <span>
              <span className={classes.name}>{category}</span>
              <span className={classes.hint}>{supportTexts.quickHelp.categories[category]}</span>
            </span>
          </UnstyledButton>
        )
      })}
    </div>
  )
}
