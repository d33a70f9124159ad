import { Anchor } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { authTexts } from '@ovation/contract/texts/auth'

const { before, terms, between, privacy } = authTexts.consent

/** AUTH-07. The documents open in new tabs, so that nothing typed is lost. */
export function ConsentLabel() {
  return (
    <>
      {before}
      <Anchor href={paths.termsOfService} target="_blank" inherit underline="always">
        {terms}
      </Anchor>
      {between}
      <Anchor href={paths.privacyPolicy} target="_blank" inherit underline="always">
        {privacy}
      </Anchor>
    </>
  )
}
