/** The most common passwords: sequences, words and names of six or more characters, typed on several keyboard layouts, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
    123456 1234567 12345678 123456789 1234567890 0123456789 012345 0123456 987654 9876543 98765432 987654321 9876543210
    654321 7654321 87654321 111111 1111111 11111111 000000 00000000 222222 333333 444444 555555 666666 777777 7777777
    888888 88888888 999999 99999999 121212 12121212 123123 123123123 12341234 123321 1234321 123454321 112233 11223344
    1122334455 102030 101010 131313 696969 159753 147258 147258369 123654 789456 789456123 456789 246810 135790 123qwe
    123abc 1234qwer 12345q 123456a 123456q 12345qwe 12345qwert 123qweasd 123qweasdzxc 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
    1qaz2wsx3edc 1qazxsw2 1qaz1qaz q1w2e3 q1w2e3r4 q1w2e3r4t5 qazwsx qazwsxedc qaz123 qwe123 qweqwe qweasd qweasdzxc
    qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyu qwertyui qwertyuiop qwert12345 qwer1234
    asdasd asdfgh asdfghj asdfghjk asdfghjkl asdf1234 zxcvbn zxcvbnm zxcvbnm1 zxc123 zaq12wsx poiuyt lkjhgf mnbvcxz
    abc123 abc1234 abcd123 abcd1234 abcdef abcdefg abcdefgh abcdef123 a123456 a1234567 a12345678 a123456789 a1b2c3
    a1b2c3d4 aa123456 aa12345678 aaaaaa aaaaaaaa ababab q123456 z123456 password password1 password12 password123
    password1234 password! passw0rd p@ssw0rd p@ssword p@55w0rd pa55word pass123 pass1234 passpass mypassword newpassword
    test123 test1234 test12345 testtest testing tester temp123 temp1234 guest123 user123 user1234 admin1 admin12 admin123
    admin1234 admin12345 admin@123 adminadmin administrator root123 rootroot toor123 changeme changeme1 changeit default
    letmein letmein1 letmein123 welcome welcome1 welcome123 welcome@123 secret secret123 access access14 master master123
    superman batman spiderman pokemon naruto minecraft dragon monkey shadow sunshine princess football baseball
    basketball hockey soccer michael jordan jordan23 charlie daniel thomas robert andrew joshua jessica jennifer ashley
    michelle nicole hunter killer ginger pepper cookie summer winter flower butterfly chocolate computer internet samsung
    google facebook iloveyou iloveyou1 loveme lovely trustno1 whatever starwars mustang corvette ferrari mercedes harley
    freedom matrix hello123 hellohello hello1 blink182 cheese orange banana purple silver golden diamond phoenix tigger
    buster maggie yankees liverpool chelsea arsenal barcelona juventus slipknot metallica nirvana cowboys eagles steelers
    fuckyou fuckoff asshole zonedeck zonedeck1 zonedeck123 cloudflare cloudflare1 cloudflare123 domain123 domains123
    йцукен йцукен123 йцукенг йцукенгшщз фывапр фывапролдж ячсмить пароль пароль1 пароль123 qwertz qwertz123 azerty
    azerty123 azertyuiop parol123 privet privet123 marina natasha maksim andrey dmitry sergey nikita spartak zenith
    lokomotiv gfhjkm gfhjkm1 gfhjkm123 ghbdtn vfrcbv
  `
    .trim()
    .split(/\s+/),
)
