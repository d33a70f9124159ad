const codes =
  'US AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GR HK HR HU IE IN IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH'

const names = new Intl.DisplayNames('en', { type: 'region' })

/** Code and English name, the United States first, the rest by name. */
export const countries: [string, string][] = codes
  .split(' ')
  .map((code): [string, string] => [code, names.of(code) ?? code])
  .sort(([a, nameA], [b, nameB]) => Number(b === 'US') - Number(a === 'US') || nameA.localeCompare(nameB, 'en'))
