import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const lastCodePoint = 0x10ffff

const character = fc
  .noBias(fc.nat(lastCodePoint - surrogates.count))
  .map((number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count))

/** Text of any characters of Unicode, as with `unit: 'binary'` of fast-check, which first spends seconds on a table of all of them. */
export function anyText(length: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  return fc.array(character, length).map((characters) => characters.join(''))
}
