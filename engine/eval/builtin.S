// The network file linked into the program: see network.h.
    .section .rodata
    .balign 64
    .global nutcracker_network
    .type nutcracker_network, @object
nutcracker_network:
    .incbin NETWORK_FILE
    .size nutcracker_network, . - nutcracker_network
    .section .note.GNU-stack, "", @progbits
