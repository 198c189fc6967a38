"""Words that stand in messages of every kind, with what they say in nats (see `weigh`).

Four groups: words of grammar, words of any log, usual words, and the usual words of this field. A word that
is in no group says more than any of these; adding one here makes templates that lean on it weaker.
"""

from __future__ import annotations

_GRAMMAR = """
    a an the this that these those it its and or but nor if then else than as at by for from in into of
    off on onto to up down with without within is are was were be been being has have had do does did can
    could may might must shall should will would not no yes so too very you your we our i they their there
    here all any some each every both either neither other another same such one two more most less least
    only also just still yet now when where while which who what how why because due about after before
    during until since again between through over under out per via please s t e d m x don doesn isn
"""
_LOGS = """
    error errors warning warnings info debug fatal critical exception exceptions failed fail fails failure
    failing found missing invalid unknown unexpected unable cannot file files path paths name names named
    value values type types line lines message messages code status user users run running ran start
    started starting stop stopped call called calls calling see check use used using try trying get got
    set none null true false traceback last recent most raise raised unhandled ok success successful
    successfully new old first second time times day days hour hours minute minutes seconds ms sec
    expected actual given note make sure log logs logging print output input stdin stdout stderr main
    module modules function functions method methods class object objects attribute attributes argument
    arguments arg args kwargs keyword option options key keys list dict str string int float bool bytes
    byte number numbers valueerror runtimeerror typeerror keyerror importerror attributeerror
    assertionerror oserror ioerror notimplementederror indexerror filenotfounderror modulenotfounderror
    permissionerror memoryerror connectionerror timeouterror systemexit keyboardinterrupt
    unicodedecodeerror nameerror py python self cls
"""
_USUAL = """
    support supported supports unsupported allowed allow denied permission required requires require need
    needs needed provide provided specified specify valid version versions does exist exists existing no
    such directory directories folder load loaded loading loads save saved saving read reading write
    writing written open opened closed close create created creating delete deleted remove removed update
    updated upgrade install installed installation package packages import imported size sizes length
    index range out larger greater smaller equal than maximum minimum max min limit limits exceeded
    exceeds too many few large small long short default current previous next total available free memory
    device devices system process processes thread threads worker workers server client host port address
    connection connections connect connected connecting timeout timed request requests response reset
    socket network data dataset batch model models config configuration setting settings parameter
    parameters param params flag environment variable variables command exit exited code signal killed
    terminated aborted shutdown shut dead died crash crashed bad wrong correct correctly possible possibly
    likely cause caused causes reason issue problem help details information more documentation docs https
    http www com org html change changed changing different match matches mismatch mismatched compatible
    incompatible disable disabled enable enabled initialize initialized initializing initialization
    already state id ids node nodes task tasks job jobs result results shape shapes dtype dimension
    dimensions format resource resources service api url token tokens text content unexpected ignore
    ignored skip skipping retry retrying waiting wait detected reached set operation operations internal
    external parse parsing json yaml local remote build built compile compiled compiling library libraries
    symbol undefined implemented implementation not lower higher instead increase decrease reduce try
    consider above below root check again place either
"""
_FIELD = """
    cuda gpu gpus cpu nccl torch pytorch tensor tensors rank ranks lora adapter adapters vllm sglang
    transformers huggingface hf layer layers weight weights checkpoint checkpoints training train
    inference engine core kernel kernels driver allocate allocated allocation collective watchdog
    distributed world sequence attention head heads cache tokenizer precision half quantization parallel
    module parallelism executor backend group barrier pid localhost nvidia docker kubernetes pod container
"""

COMMON: dict[str, float] = {
    **dict.fromkeys(_FIELD.split(), 2.0),
    **dict.fromkeys(_USUAL.split(), 1.2),
    **dict.fromkeys(_LOGS.split(), 0.7),
    **dict.fromkeys(_GRAMMAR.split(), 0.2),
}
